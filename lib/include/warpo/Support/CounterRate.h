//===- CounterRate.h - How fast this machine's counter runs ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_COUNTERRATE_H
#define WARPO_SUPPORT_COUNTERRATE_H

#include <cstdint>

namespace warpo {

/// So many counts of the processor's counter (x86-64: time stamp counter, aarch64: CNTVCT_EL0) take
/// so many nanoseconds.
struct CounterRate {
  uint64_t nanoseconds;
  uint64_t counts;
};

/// Compares the counter with the monotonic clock for `milliseconds`: exact to about 1 in 10^4 after
/// 10, on a busy machine too.
CounterRate measureCounterRate(unsigned milliseconds = 10);

} // namespace warpo

#endif
