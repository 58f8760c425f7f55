//===- CallTreeText.h - Call trees as text, for tables of tests -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_SLICE_CALLTREETEXT_H
#define WARPO_UNITTESTS_SLICE_CALLTREETEXT_H

#include "warpo/Slice/CallTree.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace warpo::test {

/// Siblings in the order of their functions, `function:selfTime/calls(callees)`. `name` makes a
/// function's text of its index. For small trees.
template <typename Name>
std::string text(const CallTree &tree, Name name, NodeIndex parent = CallTree::root) {
  std::map<FunctionIndex, NodeIndex> callees;
  for (NodeIndex node = 1; node < tree.size(); ++node)
    if (tree[node].parent == parent)
      callees[tree[node].function] = node;
  std::string result;
  for (auto [function, node] : callees) {
    result.append(result.empty() ? "" : " ").append(name(function)).append(":");
    result += llvm::utostr(tree[node].selfTime) + "/" + llvm::utostr(tree[node].calls);
    if (std::string below = text(tree, name, node); !below.empty())
      result.append("(").append(below).append(")");
  }
  return result;
}

inline std::string text(const CallTree &tree) {
  return text(tree, [](FunctionIndex function) { return llvm::utostr(function); });
}

} // namespace warpo::test

#endif
