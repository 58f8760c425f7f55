//===- OpenCalls.h - Which call an end belongs to -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_ONE_STACK_OPENCALLS_H
#define WARPO_LIB_RECORD_ONE_STACK_OPENCALLS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpo {

/// The open calls of a stack, with the rules of EventBuilder: an end closes the innermost call that
/// it fits, and those within that. Only the order of entries of one time hangs on it. So an end
/// that would have to be looked for too often among too many calls is taken for one without a
/// begin: a hostile record takes no more than linear time.
template <typename Call> class OpenCalls {
public:
  bool empty() const { return calls_.empty(); }
  const Call &top() const { return calls_.back(); }

  void begin(const Call &call) {
    calls_.push_back(call);
    ++allowance_;
  }

  /// Takes away the innermost call that `fits` and those within it, after `onEnd` has seen each of
  /// them.
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
  /// Looks at calls that do not fit.
  uint64_t allowance_ = 0;
};

} // namespace warpo

#endif
