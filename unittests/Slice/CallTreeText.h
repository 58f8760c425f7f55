//===- CallTreeText.h - Call trees as text, for tables of tests -----------===//

#ifndef WARPO_UNITTESTS_SLICE_CALLTREETEXT_H
#define WARPO_UNITTESTS_SLICE_CALLTREETEXT_H

#include "warpo/Slice/CallTree.h"
#include "llvm/ADT/StringExtras.h"

namespace warpo::test {

/// Siblings in the order of their functions, `function:selfTime/calls(callees)`. `name` makes a
/// function's text of its index.
template <typename Name> std::string text(const CallTree &tree, Name name) {
  CallTree::Children children =
      tree.children([&](NodeIndex a, NodeIndex b) { return tree[a].function < tree[b].function; });
  std::string result;
  size_t depth = 0;
  for (CallTreeWalk walk(children); walk.next();) {
    for (; depth >= walk.depth(); --depth)
      result += depth > walk.depth() ? ")" : " ";
    if (!result.empty() && result.back() != ' ')
      result += '(';
    const CallTree::Node &node = tree[walk.node()];
    result +=
        name(node.function) + ":" + llvm::utostr(node.selfTime) + "/" + llvm::utostr(node.calls);
    depth = walk.depth();
  }
  for (; depth > 1; --depth)
    result += ')';
  return result;
}

inline std::string text(const CallTree &tree) {
  return text(tree, [](FunctionIndex function) { return llvm::utostr(function); });
}

} // namespace warpo::test

#endif
