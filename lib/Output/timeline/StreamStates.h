//===- StreamStates.h - What a backend keeps of each stream ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_STREAMSTATES_H
#define WARPO_OUTPUT_TIMELINE_STREAMSTATES_H

#include "warpo/Record/TimeScale.h"
#include "warpo/Slice/Event.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// The time on a stream, in nanoseconds. It never goes back, as viewers ask for.
class StreamClock {
public:
  /// Goes on to `counts` of the record's clock and returns the time then.
  uint64_t advance(const TimeScale &scale, uint64_t counts) {
    last_ = std::max(scale.toNanoseconds(counts), last_);
    if (!isRunning_)
      first_ = last_;
    isRunning_ = true;
    return last_;
  }

  /// Whether anything has happened on the stream.
  bool isRunning() const { return isRunning_; }
  uint64_t first() const { return first_; }
  uint64_t last() const { return last_; }

private:
  uint64_t first_ = 0;
  uint64_t last_ = 0;
  bool isRunning_ = false;
};

/// A State, which has a StreamClock `clock`, for each stream.
template <typename State> class StreamStates {
public:
  /// Of a stream that may be new. The reference is good until the next call.
  State &at(StreamIndex stream) {
    if (states_.size() <= stream)
      states_.resize(stream + 1);
    return states_[stream];
  }
  const State &operator[](StreamIndex stream) const { return states_[stream]; }
  size_t size() const { return states_.size(); }
  /// To change what is kept of all.
  llvm::MutableArrayRef<State> all() { return states_; }

  /// When the first and the last thing happened on any stream; both 0 if nothing did.
  std::pair<uint64_t, uint64_t> range() const {
    std::pair<uint64_t, uint64_t> result(UINT64_MAX, 0);
    for (const State &state : states_)
      if (state.clock.isRunning()) {
        result.first = std::min(result.first, state.clock.first());
        result.second = std::max(result.second, state.clock.last());
      }
    result.first = std::min(result.first, result.second);
    return result;
  }

  /// Calls `write` with each stream on which anything happened, until one call gives an error.
  template <typename F> llvm::Error forEachRunning(F write) const {
    for (size_t i = 0; i < states_.size(); ++i)
      if (states_[i].clock.isRunning())
        if (llvm::Error error = write(StreamIndex(i)))
          return error;
    return llvm::Error::success();
  }

private:
  std::vector<State> states_;
};

} // namespace warpo

#endif
