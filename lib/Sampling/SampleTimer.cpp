//===- SampleTimer.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Sampling/SampleTimer.h"
#include <cerrno>
#include <csignal>
#include <ctime>
#include <sys/prctl.h>
#include <unistd.h>

using namespace warpo;
using std::chrono::nanoseconds;

/// The shortest period that a thread can keep up with without occupying the machine.
static constexpr nanoseconds leastPeriod(50000);

SampleTimer::SampleTimer(SampleTimes::Time begin, nanoseconds period,
                         llvm::ArrayRef<uint64_t *> points)
    : period_(period * ((leastPeriod + period - nanoseconds(1)) / period)), next_(begin + period_),
      points_(points) {
  sem_init(&end_, /*pshared=*/0, 0);
  // Signals must be delivered to threads of the embedder.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (pthread_create(&thread_, nullptr, main, this) == 0)
    process_ = getpid();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SampleTimer::~SampleTimer() {
  if (process_ == getpid()) {
    sem_post(&end_);
    pthread_join(thread_, nullptr);
  }
  sem_destroy(&end_);
}

void *SampleTimer::main(void *self) {
  static_cast<SampleTimer *>(self)->run();
  return nullptr;
}

/// Returns whether the semaphore was posted before that time.
static bool waitUntil(sem_t &semaphore, SampleTimes::Time time) {
  constexpr int64_t second = 1000000000;
  int64_t since = nanoseconds(time.time_since_epoch()).count();
  timespec until = {time_t(since / second), long(since % second)};
  while (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until) != 0)
    if (errno != EINTR)
      return false;
  return true;
}

void SampleTimer::run() {
  // By default, the system may wake a thread 50 us late.
  prctl(PR_SET_TIMERSLACK, 1);
  while (!waitUntil(end_, next_)) {
    for (uint64_t *point : points_)
      __atomic_store_n(point, 0, __ATOMIC_RELAXED);
    // Skips points that were missed.
    nanoseconds late = std::chrono::steady_clock::now() - next_;
    next_ += period_ * (late / period_ + 1);
  }
}
