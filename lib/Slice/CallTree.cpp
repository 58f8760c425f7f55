//===- CallTree.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/CallTree.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr unsigned firstSlotBits = 12;

CallTree::CallTree()
    : nodes_{{root, noFunction, 0, 0}}, slots_(size_t(1) << firstSlotBits, root),
      slotShift_(64 - firstSlotBits) {}

void CallTree::addCount(NodeIndex node, ColumnIndex column, uint64_t count) {
  std::vector<uint64_t> &self = selfCounts_[column];
  if (self.empty())
    self.resize(nodes_.size());
  self[node] = SaturatingAdd(self[node], count);
}

void CallTree::addSamples(NodeIndex node, uint64_t samples) {
  if (selfSamples_.empty())
    selfSamples_.resize(nodes_.size());
  selfSamples_[node] += samples;
}

size_t CallTree::slotOf(NodeIndex parent, FunctionIndex function) const {
  size_t slot = firstSlot(parent, function);
  while (slots_[slot] != root && !isChild(slots_[slot], parent, function))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void CallTree::grow() {
  std::vector<NodeIndex>(slots_.size() * 2, root).swap(slots_);
  --slotShift_;
  for (NodeIndex node = 1; node < nodes_.size(); ++node)
    slots_[slotOf(nodes_[node].parent, nodes_[node].function)] = node;
}

std::optional<NodeIndex> CallTree::findChild(NodeIndex parent, FunctionIndex function) const {
  NodeIndex found = slots_[slotOf(parent, function)];
  if (found == root)
    return std::nullopt;
  return found;
}

NodeIndex CallTree::child(NodeIndex parent, FunctionIndex function) {
  size_t slot = slotOf(parent, function);
  if (slots_[slot] != root) {
    // The node moves to the first slot, where the next look-up finds it at once. The other node
    // stays in the same run of slots without gaps, which is all that linear probing needs.
    size_t first = firstSlot(parent, function);
    std::swap(slots_[first], slots_[slot]);
    return slots_[first];
  }
  auto node = NodeIndex(nodes_.size());
  nodes_.push_back({parent, function, 0, 0});
  for (std::vector<uint64_t> &self : selfCounts_)
    if (!self.empty())
      self.push_back(0);
  if (!selfSamples_.empty())
    selfSamples_.push_back(0);
  slots_[slot] = node;
  if (nodes_.size() * 2 > slots_.size())
    grow();
  return node;
}
