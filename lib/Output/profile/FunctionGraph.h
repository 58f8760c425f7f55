//===- FunctionGraph.h - A call graph of functions ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The contexts of a profile, merged by function, for formats without stacks.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILE_FUNCTIONGRAPH_H
#define WARPO_OUTPUT_PROFILE_FUNCTIONGRAPH_H

#include "ContextList.h"
#include "llvm/ADT/SmallVector.h"

namespace warpo {

/// Saturating sums for the weights of a ContextList, in its order.
using WeightSums = llvm::SmallVector<uint64_t, 2>;

struct FunctionGraph {
  struct Node {
    /// An index into ContextList::frames().
    uint32_t frame;
    /// The number of open calls of this function, including this one; 1 unless recursion is
    /// separated.
    uint32_t level;
    WeightSums self;
    /// Does not count a call within a call of the same node again.
    WeightSums inclusive;
  };
  struct Arc {
    /// Indices into nodes.
    uint32_t caller;
    uint32_t callee;
    /// 0 if the profile does not count calls.
    uint64_t calls;
    /// Inclusive weight of the calls; of nested calls only the outermost counts.
    WeightSums inclusive;
  };

  std::vector<Node> nodes;
  /// Sorted by caller, then callee.
  std::vector<Arc> arcs;
};

/// With `separateRecursion`, a recursive function has a node for each level of recursion, so that
/// no node occurs twice on a stack.
FunctionGraph makeFunctionGraph(const ContextList &list, bool separateRecursion);

} // namespace warpo

#endif
