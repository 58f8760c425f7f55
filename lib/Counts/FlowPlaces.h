//===- FlowPlaces.h - Where runs begin and end ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_COUNTS_FLOWPLACES_H
#define WARPO_LIB_COUNTS_FLOWPLACES_H

#include "warpo/Counts/CounterPlan.h"
#include <numeric>

namespace warpo {

/// The places that runs begin and end at, as sets of ends of runs. How often a function was left in
/// the middle is known, so such ways merge no places.
///
/// A plan of a module merges some million places, so sets are only numbers: each end has the number
/// of another one in its set that is not greater, and the least has its own.
class FlowPlaces {
public:
  FlowPlaces() = default;
  explicit FlowPlaces(const FlowGraph &graph) { find(graph); }

  /// Reuses its memory.
  void find(const FlowGraph &graph);

  /// No place has this number or a greater one.
  uint32_t limit() const { return uint32_t(sets_.size()); }
  uint32_t outside() { return least(0); }
  uint32_t beginOf(uint32_t run) { return least(2 * run); }
  uint32_t endOf(uint32_t run) { return least(2 * run + 1); }

  /// Whether the counts of all edges and free runs follow from those of the other runs: they are
  /// the edges of a forest of ends of runs and the outside, so each leaf determines its only edge.
  bool edgesFollow() const { return isForest_; }

  /// Makes the begin and the end of a run the same place; returns false if they are already.
  bool joinEndsOf(uint32_t run) { return join(2 * run, 2 * run + 1); }

private:
  uint32_t least(uint32_t end) {
    while (sets_[end] != end)
      end = sets_[end] = sets_[sets_[end]];
    return end;
  }
  bool join(uint32_t left, uint32_t right) {
    left = least(left);
    right = least(right);
    sets_[std::max(left, right)] = std::min(left, right);
    return left != right;
  }

  std::vector<uint32_t> sets_;
  bool isForest_ = true;
};

} // namespace warpo

#endif
