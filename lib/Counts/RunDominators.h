//===- RunDominators.h - Which runs are only reached through others -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_COUNTS_RUNDOMINATORS_H
#define WARPO_LIB_COUNTS_RUNDOMINATORS_H

#include "warpo/Counts/FlowGraph.h"

namespace warpo {

/// The tree in which each run but the first stands below the last run that every way to it leads
/// through. Exceptions arrive from outside, that is, from the first run.
///
/// Wasm has no irreducible code: ways back in the code, to heads of loops, change nothing. The
/// others go to later runs, so one pass finds the tree. A function may have a million runs in one
/// chain; a second, longer link of each run keeps the search for common ancestors logarithmic
/// (Myers, "An applicative random-access stack", 1983).
class RunDominators {
public:
  /// Reuses its memory.
  void find(const FlowGraph &graph);

  /// The run above another one, which is an earlier one. The first has itself.
  uint32_t above(uint32_t run) const { return links_[run].above; }
  /// Whether this is the only edge from an earlier run to the run that it leads to.
  bool isOnlyWay(const FlowEdge &edge) const {
    return edge.to != FlowEdge::outside && edge.from < edge.to && links_[edge.to].ways == 1;
  }

private:
  struct Link {
    uint32_t above = 0;
    /// An ancestor, perhaps far up.
    uint32_t farAbove = 0;
    uint32_t depth = 0;
    uint32_t ways = 0;
  };
  void finish(uint32_t run);
  uint32_t common(uint32_t left, uint32_t right) const;

  std::vector<Link> links_;
};

} // namespace warpo

#endif
