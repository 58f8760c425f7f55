//===- FunctionGraph.h - Which function called which, summed up -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The contexts of a profile, folded by function: what formats without stacks show.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILE_FUNCTIONGRAPH_H
#define WARPO_OUTPUT_PROFILE_FUNCTIONGRAPH_H

#include "ContextList.h"
#include "llvm/ADT/SmallVector.h"

namespace warpo {

/// A sum for each weight of a ContextList, in its order. Sums stop at the largest number.
using WeightSums = llvm::SmallVector<uint64_t, 2>;

struct FunctionGraph {
  struct Node {
    /// Of ContextList::frames().
    uint32_t frame;
    /// How many calls of this function were open, itself included. Where recursion is not kept
    /// apart, 1.
    uint32_t level;
    WeightSums self;
    /// A call within a call of the same node is not counted twice.
    WeightSums inclusive;
  };
  struct Arc {
    /// Indices into nodes.
    uint32_t caller;
    uint32_t callee;
    /// 0 in a profile that does not count calls.
    uint64_t calls;
    /// What lies below the calls; of nested ones the outermost.
    WeightSums inclusive;
  };

  std::vector<Node> nodes;
  /// Sorted by caller, then callee.
  std::vector<Arc> arcs;
};

/// With `separateRecursion`, a recursive function has a node for each level of it, and no node is
/// ever open twice.
FunctionGraph makeFunctionGraph(const ContextList &list, bool separateRecursion);

} // namespace warpo

#endif
