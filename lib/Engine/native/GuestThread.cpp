//===- GuestThread.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GuestThread.h"
#include "warpo/Support/Errors.h"
#include "warpo_native.h"
#include <cerrno>
#include <iterator>
#include <pthread.h>
#include <sys/mman.h>
#include <unwind.h>

using namespace llvm;
using namespace warpo;

/// Much larger than the stacks of other engines, so that it rarely ends a program.
static constexpr size_t stackSize = size_t(16) << 20;
/// Larger frames are touched step by step (-fstack-clash-protection).
static constexpr size_t guardSize = size_t(1) << 20;
/// For functions of the host and of the recorder.
static constexpr size_t hostStackSize = size_t(256) << 10;
static constexpr size_t signalStackSize = size_t(64) << 10;

static constexpr int faults[] = {SIGSEGV, SIGBUS};

std::atomic<GuestThread *> GuestThread::running_ = nullptr;
/// Faults of other threads are not traps.
static thread_local bool isGuestThread = false;

static uint8_t *map(size_t size, int protection) {
  void *place = mmap(nullptr, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<uint8_t *>(place);
}

Expected<std::unique_ptr<GuestThread>> GuestThread::create() {
  std::unique_ptr<GuestThread> thread(new GuestThread());
  thread->stack_ = {map(guardSize + stackSize, PROT_READ | PROT_WRITE), guardSize + stackSize};
  thread->signalStack_ = {map(signalStackSize, PROT_READ | PROT_WRITE), signalStackSize};
  if (!thread->stack_.begin || !thread->signalStack_.begin ||
      mprotect(thread->stack_.begin, guardSize, PROT_NONE) != 0)
    return makeError("no memory for the program's stack");
  return thread;
}

GuestThread::~GuestThread() {
  reserved_.push_back(stack_);
  reserved_.push_back(signalStack_);
  reserved_.push_back(notes_);
  for (const Region &region : reserved_)
    if (region.begin)
      munmap(region.begin, region.size);
}

uintptr_t GuestThread::stackLimit() const {
  return reinterpret_cast<uintptr_t>(stack_.begin) + guardSize + hostStackSize;
}

std::pair<uintptr_t, uintptr_t> GuestThread::stackBounds() const {
  auto begin = reinterpret_cast<uintptr_t>(stack_.begin);
  return {begin + guardSize, begin + stack_.size};
}

uint8_t *GuestThread::reserve(size_t size) {
  uint8_t *begin = map(size, PROT_NONE);
  if (begin)
    reserved_.push_back({begin, size});
  return begin;
}

const char *GuestThread::describeFault(const void *address) const {
  if (Region{stack_.begin, guardSize}.contains(address))
    return WARPO_NATIVE_STACK_EXHAUSTED;
  for (const Region &region : reserved_)
    if (region.contains(address))
      return "out of bounds memory access";
  return nullptr;
}

Error GuestThread::noteStacks() {
  // Each frame has at least a return address, and stack pointers are multiples of two words.
  constexpr size_t size = stackSize / 2;
  notes_ = {map(size, PROT_READ | PROT_WRITE), size};
  return notes_.begin ? Error::success() : makeError("no memory to note the program's stack");
}

// Also works on the signal stack: unwind tables lead across the signal frame.
void GuestThread::noteStack() {
  GuestThread &running = *running_.load();
  running.noteCount_ = 0;
  auto note = [](_Unwind_Context *frame, void *self) {
    auto &thread = *static_cast<GuestThread *>(self);
    int isExact = 0;
    uintptr_t address = _Unwind_GetIPInfo(frame, &isExact);
    if (thread.noteCount_ == thread.notes_.size / sizeof(uintptr_t))
      return _URC_END_OF_STACK;
    reinterpret_cast<uintptr_t *>(thread.notes_.begin)[thread.noteCount_++] =
        address + (isExact ? 1 : 0);
    return _URC_NO_REASON;
  };
  if (running.notes_.begin)
    _Unwind_Backtrace(note, &running);
}

void GuestThread::leave(const char *message) {
  GuestThread &thread = *running_.load();
  thread.message_ = message;
  noteStack();
  siglongjmp(*thread.exit_, 1);
}

const char *GuestThread::attempt(function_ref<void()> body) {
  GuestThread &thread = *running_.load();
  sigjmp_buf *const outer = thread.exit_;
  sigjmp_buf exit;
  // Variables only keep their values across a longjmp if they are volatile.
  const char *volatile message = nullptr;
  thread.exit_ = &exit;
  if (sigsetjmp(exit, /*savemask=*/1) == 0)
    body();
  else
    message = thread.message_;
  thread.exit_ = outer;
  return message;
}

void GuestThread::handleFault(int signal, siginfo_t *info, void *) {
  GuestThread *thread = running_;
  if (isGuestThread)
    if (const char *message = thread->describeFault(info->si_addr))
      leave(message);
  // Restores the previous handler, which gets the signal when the faulting instruction runs again.
  const auto *found = std::find(std::begin(faults), std::end(faults), signal);
  sigaction(signal, &thread->before_[found - faults], nullptr);
}

void GuestThread::runHere() {
  isGuestThread = true;
  stack_t signalStack = {}, stackBefore = {};
  signalStack.ss_sp = signalStack_.begin;
  signalStack.ss_size = signalStack_.size;
  sigaltstack(&signalStack, &stackBefore);
  sigjmp_buf exit;
  exit_ = &exit;
  if (sigsetjmp(exit, /*savemask=*/1) == 0) {
    body_();
    returned_ = true;
  }
  sigaltstack(&stackBefore, nullptr);
}

void *GuestThread::main(void *self) {
  static_cast<GuestThread *>(self)->runHere();
  return nullptr;
}

Expected<bool> GuestThread::run(function_ref<void()> body) {
  GuestThread *none = nullptr;
  if (!running_.compare_exchange_strong(none, this))
    return makeError("another program is running in this process");
  body_ = body;
  returned_ = false;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack_.begin + guardSize, stackSize);
  struct sigaction action = {};
  action.sa_sigaction = handleFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  // Blocks all signals, so that nothing else, such as a sampler, uses the signal stack meanwhile.
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < std::size(faults); ++i)
    sigaction(faults[i], &action, &before_[i]);

  pthread_t thread;
  int error = pthread_create(&thread, &attributes, main, this);
  if (error == 0)
    pthread_join(thread, nullptr);

  for (size_t i = 0; i < std::size(faults); ++i)
    sigaction(faults[i], &before_[i], nullptr);
  running_ = nullptr;
  pthread_attr_destroy(&attributes);
  if (error != 0)
    return makeError("no thread for the program: " +
                     Twine(std::error_code(error, std::generic_category()).message()));
  return returned_;
}
