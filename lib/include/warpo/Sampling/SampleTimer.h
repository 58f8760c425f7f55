//===- SampleTimer.h - Lets a program ask for samples in time -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Without it, a program that is sampled by time looks at the time where it has burnt some fuel:
// what takes long and burns little, such as waiting for memory or for the host, is seen too rarely.
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

/// A thread that lowers the next points of instances to 0 whenever a sample is due, so that each
/// asks at its next check. That is a hint: whether a sample is taken is for SampleTimes to say. An
/// instance that stores a point of its own at that moment overwrites the hint, and asks when that
/// point has come. In a child of a fork() there are no hints.
class SampleTimer {
public:
  /// `points` are the counters `sampleDue` of running instances: aligned words, which must live
  /// longer than this and are stored to as atomic ones (relaxed). Times are those of SampleTimes,
  /// as far as they are not closer to each other than a thread can keep up with.
  SampleTimer(SampleTimes::Time begin, std::chrono::nanoseconds period,
              llvm::ArrayRef<uint64_t *> points);
  SampleTimer(const SampleTimer &) = delete;
  SampleTimer &operator=(const SampleTimer &) = delete;
  /// Nothing is stored any more when this returns.
  ~SampleTimer();

private:
  static void *main(void *self);
  void run();

  std::chrono::nanoseconds period_;
  SampleTimes::Time next_;
  const std::vector<uint64_t *> points_;
  sem_t end_;
  pthread_t thread_;
  /// 0 if there is no thread to be had.
  pid_t process_ = 0;
};

} // namespace warpo

#endif
