//===- CallTree.cpp -------------------------------------------------------===//

#include "warpo/Slice/CallTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;
using namespace warpo;

CallTree::CallTree() : nodes_{{root, noFunction, 0, 0}}, lastChild_{root}, slots_(1024, root) {}

// Fibonacci hashing of the pair: parents are small consecutive numbers, and so are functions.
size_t CallTree::slotOf(NodeIndex parent, FunctionIndex function) const {
  uint64_t key = (uint64_t(parent) << 32 | function) * 0x9e3779b97f4a7c15u;
  key ^= key >> 32;
  size_t mask = slots_.size() - 1;
  size_t slot = size_t(key * 0x9e3779b97f4a7c15u >> 20) & mask;
  while (slots_[slot] != root) {
    const Node &node = nodes_[slots_[slot]];
    if (node.parent == parent && node.function == function)
      break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void CallTree::grow() {
  std::vector<NodeIndex> old(slots_.size() * 2, root);
  old.swap(slots_);
  for (NodeIndex node : old)
    if (node != root)
      slots_[slotOf(nodes_[node].parent, nodes_[node].function)] = node;
}

std::optional<NodeIndex> CallTree::findChild(NodeIndex parent, FunctionIndex function) const {
  NodeIndex last = lastChild_[parent];
  if (last != root && nodes_[last].function == function)
    return last;
  NodeIndex found = slots_[slotOf(parent, function)];
  if (found == root)
    return std::nullopt;
  return found;
}

NodeIndex CallTree::child(NodeIndex parent, FunctionIndex function) {
  NodeIndex last = lastChild_[parent];
  if (last != root && nodes_[last].function == function)
    return last;
  size_t slot = slotOf(parent, function);
  NodeIndex node = slots_[slot];
  if (node == root) {
    node = NodeIndex(nodes_.size());
    nodes_.push_back({parent, function, 0, 0});
    lastChild_.push_back(root);
    slots_[slot] = node;
    if (nodes_.size() * 2 > slots_.size())
      grow();
  }
  lastChild_[parent] = node;
  return node;
}

std::vector<uint64_t> CallTree::inclusive(Weight weight) const {
  std::vector<uint64_t> result(size());
  for (NodeIndex node = 0; node < size(); ++node)
    result[node] = self(node, weight);
  // Children stand behind their parents.
  for (auto node = NodeIndex(size()); node-- > 1;)
    result[nodes_[node].parent] = SaturatingAdd(result[nodes_[node].parent], result[node]);
  return result;
}

CallTree::Children CallTree::children(function_ref<bool(NodeIndex, NodeIndex)> before) const {
  Children result;
  result.first.assign(size() + 1, 0);
  for (NodeIndex node = 1; node < size(); ++node)
    ++result.first[nodes_[node].parent + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.nodes.resize(size() - 1);
  std::vector<uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (NodeIndex node = 1; node < size(); ++node)
    result.nodes[next[nodes_[node].parent]++] = node;
  for (NodeIndex node = 0; node < size(); ++node)
    std::sort(result.nodes.begin() + result.first[node],
              result.nodes.begin() + result.first[node + 1], before);
  return result;
}

void CallTree::merge(const CallTree &other, ArrayRef<FunctionIndex> functions) {
  std::vector<NodeIndex> ours(other.size(), root);
  for (NodeIndex node = 1; node < other.size(); ++node) {
    const Node &theirs = other[node];
    FunctionIndex function = functions.empty() ? theirs.function : functions[theirs.function];
    ours[node] = child(ours[theirs.parent], function);
    addTime(ours[node], theirs.selfTime);
    addCalls(ours[node], theirs.calls);
  }
}
