//===- StreamStates.h - A backend's state of each stream ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TIMELINE_STREAMSTATES_H
#define WARPO_OUTPUT_TIMELINE_STREAMSTATES_H

#include "warpo/Record/TimeScale.h"
#include "warpo/Slice/Event.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// The time on a stream, in nanoseconds. It never goes back, as viewers require.
class StreamClock {
public:
  /// Advances to `counts` of the record's clock and returns the time.
  uint64_t advance(const TimeScale &scale, uint64_t counts) {
    last_ = std::max(scale.toNanoseconds(counts), last_);
    if (!isRunning_)
      first_ = last_;
    isRunning_ = true;
    return last_;
  }

  /// Whether the stream had any event.
  bool isRunning() const { return isRunning_; }
  uint64_t first() const { return first_; }
  uint64_t last() const { return last_; }

private:
  uint64_t first_ = 0;
  uint64_t last_ = 0;
  bool isRunning_ = false;
};

/// A State for each stream; its member `clock` is a StreamClock.
template <typename State> class StreamStates {
public:
  /// Adds the stream if it is new. The reference is valid until the next call.
  State &at(StreamIndex stream) {
    if (states_.size() <= stream)
      states_.resize(stream + 1);
    return states_[stream];
  }
  const State &operator[](StreamIndex stream) const { return states_[stream]; }
  size_t size() const { return states_.size(); }
  /// All states, mutable.
  llvm::MutableArrayRef<State> all() { return states_; }

  /// The times of the first and the last event on any stream; both 0 if there is none.
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

  /// Calls `write` for each stream that had events, until a call returns an error.
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
