//===- LongestCalls.h - The calls of a record that are worth drawing ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_LONGESTCALLS_H
#define WARPO_OUTPUT_TIMELINE_LONGESTCALLS_H

#include "warpo/Slice/Event.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// A call, or a lost range. Times are nanoseconds.
struct ChartCall {
  uint64_t start = 0;
  uint64_t duration = 0;
  /// Of the duration, what was spent in no call below.
  uint64_t self = 0;
  /// In the order of the begins of a stream.
  uint64_t number = 0;
  /// The outermost calls are at 1.
  uint32_t depth = 0;
  StreamIndex stream = 0;
  FunctionIndex function = 0;
};

/// Of all calls that are added, keeps the longest. A call is at least as long as the calls in it,
/// and of equally long ones the outer is preferred: so with a call all those are kept that it lies
/// in.
class LongestCalls {
public:
  /// `limit` is above 0.
  explicit LongestCalls(size_t limit) : limit_(limit) {}

  void add(const ChartCall &call) {
    ++added_;
    if (calls_.size() < limit_) {
      calls_.push_back(call);
      std::push_heap(calls_.begin(), calls_.end(), isPreferred);
    } else if (isPreferred(call, calls_.front())) {
      std::pop_heap(calls_.begin(), calls_.end(), isPreferred);
      calls_.back() = call;
      std::push_heap(calls_.begin(), calls_.end(), isPreferred);
    }
  }

  uint64_t added() const { return added_; }

  /// The calls kept, stream by stream, each behind the one that it lies in.
  std::vector<ChartCall> take() {
    std::sort(calls_.begin(), calls_.end(), [](const ChartCall &a, const ChartCall &b) {
      return a.stream != b.stream ? a.stream < b.stream : a.number < b.number;
    });
    return std::move(calls_);
  }

private:
  static bool isPreferred(const ChartCall &a, const ChartCall &b) {
    if (a.duration != b.duration)
      return a.duration > b.duration;
    if (a.depth != b.depth)
      return a.depth < b.depth;
    return a.stream != b.stream ? a.stream < b.stream : a.number < b.number;
  }

  size_t limit_;
  uint64_t added_ = 0;
  /// A heap, the least preferred call in front.
  std::vector<ChartCall> calls_;
};

} // namespace warpo

#endif
