//===- OpenCalls.h - Matches ends with open calls -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_ONE_STACK_OPENCALLS_H
#define WARPO_LIB_RECORD_ONE_STACK_OPENCALLS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpo {

/// The open calls of a stack, with the rules of EventBuilder: an end closes the innermost call that
/// it matches, and all calls within that. This only affects the order of simultaneous entries. So
/// if searches for matching calls take too long, an end is treated as one without a begin: this
/// keeps the time linear, even for a hostile record.
template <typename Call> class OpenCalls {
public:
  bool empty() const { return calls_.empty(); }
  const Call &top() const { return calls_.back(); }

  void begin(const Call &call) {
    calls_.push_back(call);
    ++allowance_;
  }

  /// Removes the innermost call that `fits` and those within it, calling `onEnd` with each.
  template <typename Fits, typename OnEnd> void end(Fits fits, OnEnd onEnd) {
    ++allowance_;
    size_t depth = calls_.size();
    for (; depth > 0 && allowance_ > 0; --depth, --allowance_)
      if (fits(calls_[depth - 1]))
        break;
    if (depth == 0 || !fits(calls_[depth - 1]))
      return;
    for (; calls_.size() >= depth; calls_.pop_back())
      onEnd(calls_.back());
  }

private:
  std::vector<Call> calls_;
  /// The remaining number of calls that may be examined in vain.
  uint64_t allowance_ = 0;
};

} // namespace warpo

#endif
