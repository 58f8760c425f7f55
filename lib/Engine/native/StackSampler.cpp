//===- StackSampler.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "StackSampler.h"
#include "../ClockTimes.h"
#include "warpo/Support/Errors.h"
#include <cerrno>
#include <ucontext.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;
using std::chrono::nanoseconds;

// Older versions of glibc do not name it.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/// With shorter periods, a thread could not run its program besides.
static constexpr nanoseconds leastPeriod(50000);
/// Outer frames of deeper stacks are left out: collecting and recording more would take a large
/// part of the time between two samples.
static constexpr size_t mostFrames = 4096;

#if defined(__x86_64__)
bool StackSampler::isSupported() { return true; }

static Registers registersOf(const ucontext_t &context) {
  const greg_t *registers = context.uc_mcontext.gregs;
  return {uintptr_t(registers[REG_RIP]), uintptr_t(registers[REG_RSP]),
          uintptr_t(registers[REG_RBP]), /*isReturn=*/false};
}
#else
bool StackSampler::isSupported() { return false; }
static Registers registersOf(const ucontext_t &) { return {}; }
#endif

/// The layout of an entry, written in the signal handler and read by record().
enum : size_t { atTime, atCpuTime, atImport, atAddress, atReturns };

void StackSampler::take(const ucontext_t &context) {
  uint64_t cpuTime = readClock(CLOCK_THREAD_CPUTIME_ID);
  // The thread has mostly waited since the last sample.
  if (cpuTime - lastCpuTime_ < uint64_t(period_.count()) / 2)
    return;
  lastCpuTime_ = cpuTime;
  Registers at = registersOf(context);
  auto outside = reinterpret_cast<uintptr_t>(host_.outside_frame);
  StackRing::Entry entry(ring_);
  entry.put(readClock(CLOCK_MONOTONIC));
  entry.put(cpuTime);
  entry.put(outside ? reinterpret_cast<uintptr_t>(host_.outside_import) : 0);
  entry.put(outside ? 0 : at.code);
  auto caller = outside ? stack_.callerByFrame(outside) : std::nullopt;
  if (caller) {
    at = *caller;
    entry.put(at.code);
  }
  bool isThere = !outside || caller;
  // One more than recorded, to know whether there are more.
  for (size_t count = 0; isThere && count <= mostFrames && stacks_.goToCaller(at, stack_); ++count)
    entry.put(at.code);
  if (entry.publish())
    sem_post(&wake_);
}

void StackSampler::handle(int, siginfo_t *info, void *context) {
  // Others may send this signal too.
  if (info->si_code != SI_TIMER)
    return;
  int error = errno;
  static_cast<StackSampler *>(info->si_value.sival_ptr)
      ->take(*static_cast<const ucontext_t *>(context));
  errno = error;
}

Expected<std::unique_ptr<StackSampler>>
StackSampler::create(const warpo_native_host &host, std::pair<uintptr_t, uintptr_t> stack,
                     nanoseconds period, NativeStacks stacks, EngineSamples &samples) {
  std::unique_ptr<StackSampler> sampler(
      new StackSampler(host, stack, std::max(period, leastPeriod), std::move(stacks), samples));
  if (Error error = sampler->prepare())
    return error;
  return sampler;
}

/// Finds a signal without a handler and installs ours.
bool StackSampler::takeSignal() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  // The program's stack may be exhausted, and its host may be in a system call.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
    if (sigaction(signal, nullptr, &before_) != 0 || (before_.sa_flags & SA_SIGINFO) ||
        before_.sa_handler != SIG_DFL)
      continue;
    if (sigaction(signal, &action, nullptr) == 0) {
      signal_ = signal;
      return true;
    }
  }
  return false;
}

Error StackSampler::prepare() {
  sem_init(&wake_, /*pshared=*/0, 0);
  if (!ring_.allocate())
    return makeError("no memory for samples");
  if (!takeSignal())
    return makeError("no signal is free for a sampler: all real-time signals have handlers");
  // The new thread must not handle signals.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int error = pthread_create(&thread, nullptr, main, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0)
    return makeError("no thread for samples: " +
                     Twine(std::error_code(error, std::generic_category()).message()));
  thread_ = thread;
  return Error::success();
}

StackSampler::~StackSampler() {
  stop();
  sem_destroy(&wake_);
}

// A timer of the thread's processor time would be the natural choice, but Linux only checks those
// at its ticks, often 250 a second. Instead the handler reads the thread's processor time.
Error StackSampler::start() {
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal_);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_;
  event.sigev_value.sival_ptr = this;
  event.sigev_notify_thread_id = gettid();
  timer_t timer;
  timespec period = {time_t(period_.count() / nanosecondsPerSecond),
                     long(period_.count() % nanosecondsPerSecond)};
  itimerspec times = {period, period};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    return makeError("no timer for samples: " +
                     Twine(std::error_code(errno, std::generic_category()).message()));
  timer_ = timer;
  timer_settime(timer, 0, &times, nullptr);
  return Error::success();
}

void StackSampler::stop() {
  if (timer_)
    timer_delete(*timer_);
  timer_.reset();
  if (signal_ != 0)
    sigaction(signal_, &before_, nullptr);
  signal_ = 0;
  if (!thread_)
    return;
  isEnding_ = true;
  sem_post(&wake_);
  pthread_join(*thread_, nullptr);
  thread_.reset();
}

void *StackSampler::main(void *self) {
  static_cast<StackSampler *>(self)->run();
  return nullptr;
}

/// Waits for 20 ms, or less if the ring fills up.
static void wait(sem_t &semaphore) {
  constexpr int64_t longest = 20000000;
  uint64_t until = readClock(CLOCK_MONOTONIC) + longest;
  timespec time = {time_t(until / nanosecondsPerSecond), long(until % nanosecondsPerSecond)};
  (void)sem_clockwait(&semaphore, CLOCK_MONOTONIC, &time);
}

void StackSampler::run() {
  while (!isEnding_) {
    wait(wake_);
    record();
  }
  record();
}

void StackSampler::record() {
  std::vector<uint64_t> words;
  while (ring_.take(words)) {
    NativeStack stack;
    stack.address = words[atAddress];
    stack.import = reinterpret_cast<const warpo_native_import *>(words[atImport]);
    static_assert(sizeof(uintptr_t) == sizeof(uint64_t));
    ArrayRef<uintptr_t> returns = ArrayRef<uintptr_t>(words).drop_front(atReturns);
    bool isCut = returns.size() > mostFrames;
    stack.returns = returns.take_front(mostFrames);
    samples_.add(words[atTime], words[atCpuTime], stacks_.resolve(stack), isCut);
  }
  samples_.lose(ring_.takeLost());
}
