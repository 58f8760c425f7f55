//===- FlowPlaces.h - Where runs begin and end ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_COUNTS_FLOWPLACES_H
#define WARPO_LIB_COUNTS_FLOWPLACES_H

#include "warpo/Counts/CounterPlan.h"
#include <numeric>

namespace warpo {

/// The places that runs begin and end at, as sets of ends of runs. How often a function was left in
/// the middle is known, so such ways merge no places. Nor do the arms of tables where code can be
/// inserted, since some of them may be cheaper to count than the runs around them.
///
/// A plan of a module merges some million places, so sets are only numbers: each end has the number
/// of another one in its set that is not greater, and the least has its own.
class FlowPlaces {
public:
  FlowPlaces() = default;
  explicit FlowPlaces(const FlowGraph &graph, bool keepsArms = true) { find(graph, keepsArms); }

  /// Reuses its memory. `keepsArms`: whether arms of such tables merge no places.
  void find(const FlowGraph &graph, bool keepsArms);

  /// No place has this number or a greater one.
  uint32_t limit() const { return uint32_t(sets_.size()); }
  uint32_t outside() { return least(0); }
  uint32_t beginOf(uint32_t run) { return least(2 * run); }
  uint32_t endOf(uint32_t run) { return least(2 * run + 1); }
  /// Where an edge comes from, and where it leads.
  uint32_t sourceOf(const FlowEdge &edge) { return least(sourceEnd(edge)); }
  uint32_t targetOf(const FlowEdge &edge) { return least(targetEnd(edge)); }

  /// By edge, whether it is a kept arm.
  llvm::ArrayRef<uint8_t> keptEdges() const { return isKept_; }

  /// Whether the counts of all edges and free runs follow from those of the other runs and the kept
  /// arms: they are the edges of a forest of ends of runs and the outside, so each leaf determines
  /// its only edge.
  bool edgesFollow() const { return isForest_; }

  /// Makes the begin and the end of a run the same place; returns false if they are already.
  bool joinEndsOf(uint32_t run) { return join(2 * run, 2 * run + 1); }
  /// The same for an edge.
  bool joinEndsOf(const FlowEdge &edge) { return join(sourceEnd(edge), targetEnd(edge)); }

private:
  // The function is entered from outside, where its first run begins.
  static uint32_t sourceEnd(const FlowEdge &edge) {
    return edge.from == FlowEdge::outside ? 0 : 2 * edge.from + 1;
  }
  static uint32_t targetEnd(const FlowEdge &edge) {
    return edge.to == FlowEdge::outside ? 0 : 2 * edge.to;
  }
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
  std::vector<uint8_t> isKept_;
  bool isForest_ = true;
};

} // namespace warpo

#endif
