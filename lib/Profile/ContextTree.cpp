//===- ContextTree.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ContextTree.h"
#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace warpo;

ContextTree::Children ContextTree::children() const {
  Children result;
  result.first.assign(size() + 1, 0);
  for (NodeIndex node = 1; node < size(); ++node)
    ++result.first[contexts_[node].parent + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.nodes.resize(size() - 1);
  std::vector<uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (NodeIndex node = 1; node < size(); ++node)
    result.nodes[next[contexts_[node].parent]++] = node;
  return result;
}

ContextTree::Children ContextTree::children(function_ref<bool(NodeIndex, NodeIndex)> before) const {
  Children result = children();
  for (NodeIndex node = 0; node < size(); ++node)
    std::sort(result.nodes.begin() + result.first[node],
              result.nodes.begin() + result.first[node + 1], before);
  return result;
}
