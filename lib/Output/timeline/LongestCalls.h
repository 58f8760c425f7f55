//===- LongestCalls.h - The calls of a record that are worth drawing ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_LONGESTCALLS_H
#define WARPO_OUTPUT_TIMELINE_LONGESTCALLS_H

#include "warpo/Slice/Event.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// A call, a suspension, or a lost range. Times are nanoseconds.
struct ChartCall {
  uint64_t start = 0;
  uint64_t duration = 0;
  /// Of the duration, what was spent in no call below.
  uint64_t self = 0;
  /// Of the duration, what its stack was suspended.
  uint64_t suspended = 0;
  /// In the order of the begins of a stream.
  uint64_t number = 0;
  /// The outermost calls are at 1.
  uint32_t depth = 0;
  StreamIndex stream = 0;
  FunctionIndex function = 0;
  /// The number of the call that it lies in; of an outermost one, without a meaning.
  uint64_t caller = 0;

  uint64_t ran() const { return duration - suspended; }
};

/// Stream by stream, each call behind the one that it lies in.
inline bool isDrawnBefore(const ChartCall &a, const ChartCall &b) {
  return a.stream != b.stream ? a.stream < b.stream : a.number < b.number;
}

/// Of all calls that are added, keeps the longest. A call has run at least as long as the calls in
/// it, and of equally long ones the outer is preferred: so with a call all those are kept that it
/// lies in.
class LongestCalls {
public:
  /// `lengthOf` says how long a call is; `limit` is above 0.
  LongestCalls(uint64_t (*lengthOf)(const ChartCall &), size_t limit)
      : lengthOf_(lengthOf), limit_(limit) {}

  void add(const ChartCall &call) {
    ++added_;
    auto preferred = [&](const ChartCall &a, const ChartCall &b) { return isPreferred(a, b); };
    if (calls_.size() < limit_) {
      calls_.push_back(call);
      std::push_heap(calls_.begin(), calls_.end(), preferred);
    } else if (isPreferred(call, calls_.front())) {
      std::pop_heap(calls_.begin(), calls_.end(), preferred);
      calls_.back() = call;
      std::push_heap(calls_.begin(), calls_.end(), preferred);
    }
  }

  uint64_t added() const { return added_; }

  /// The calls kept, in the order of isDrawnBefore().
  std::vector<ChartCall> take() {
    std::sort(calls_.begin(), calls_.end(), isDrawnBefore);
    return std::move(calls_);
  }

private:
  bool isPreferred(const ChartCall &a, const ChartCall &b) const {
    if (lengthOf_(a) != lengthOf_(b))
      return lengthOf_(a) > lengthOf_(b);
    if (a.depth != b.depth)
      return a.depth < b.depth;
    return a.stream != b.stream ? a.stream < b.stream : a.number < b.number;
  }

  uint64_t (*lengthOf_)(const ChartCall &);
  size_t limit_;
  uint64_t added_ = 0;
  /// A heap, the least preferred call in front.
  std::vector<ChartCall> calls_;
};

} // namespace warpo

#endif
