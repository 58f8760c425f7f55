//===- CounterRate.h - The rate of this machine's counter -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_COUNTERRATE_H
#define WARPO_SUPPORT_COUNTERRATE_H

#include <cstdint>

namespace warpo {

/// The duration of a number of counts of the processor's counter (x86-64: time stamp counter,
/// aarch64: CNTVCT_EL0).
struct CounterRate {
  uint64_t nanoseconds;
  uint64_t counts;
};

/// Compares the counter with the monotonic clock for `milliseconds`. With 10, the error is about
/// 10^-4, even on a busy machine.
CounterRate measureCounterRate(unsigned milliseconds = 10);

} // namespace warpo

#endif
