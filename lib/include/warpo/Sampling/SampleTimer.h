//===- SampleTimer.h - Makes a program ask for samples in time ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Without it, a program sampled by time checks the time whenever it has used some fuel: slow
// operations that use little, such as waiting for memory or the host, would be sampled too rarely.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SAMPLING_SAMPLETIMER_H
#define WARPO_SAMPLING_SAMPLETIMER_H

#include "warpo/Sampling/SampleClock.h"
#include "llvm/ADT/ArrayRef.h"
#include <pthread.h>
#include <semaphore.h>
#include <sys/types.h>

namespace warpo {

/// A thread that sets the instances' next points to 0 whenever a sample is due, so that each asks
/// at its next check. That is a hint: SampleTimes decides whether a sample is taken. An instance
/// that stores its own point at the same moment overwrites the hint, and asks at that point. There
/// are no hints in a child after fork().
class SampleTimer {
public:
  /// `points` are the counters `sampleDue` of running instances: aligned words that must outlive
  /// this; stores are relaxed atomics. Times are those of SampleTimes, unless they are too close
  /// for a thread to keep up.
  SampleTimer(SampleTimes::Time begin, std::chrono::nanoseconds period,
              llvm::ArrayRef<uint64_t *> points);
  SampleTimer(const SampleTimer &) = delete;
  SampleTimer &operator=(const SampleTimer &) = delete;
  /// After this returns, nothing is stored any more.
  ~SampleTimer();

private:
  static void *main(void *self);
  void run();

  std::chrono::nanoseconds period_;
  SampleTimes::Time next_;
  const std::vector<uint64_t *> points_;
  sem_t end_;
  pthread_t thread_;
  /// 0 if the thread could not be started.
  pid_t process_ = 0;
};

} // namespace warpo

#endif
