//===- FlameLayout.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FlameLayout.h"
#include "../profile/SiblingOrder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

class FlameBuilder {
public:
  FlameBuilder(const Profile &profile, const FlameLimits &limits)
      : profile_(profile), tree_(profile.tree), weights_(profile.inclusive()) {
    layout_.total = weights_[ContextTree::root];
    smallest_ = std::max<uint64_t>(1, uint64_t(double(layout_.total) * limits.minShare));
    chooseContexts(limits.maxFrames);
    countContexts();
  }

  FlameLayout build() {
    ContextTree::Children children = heaviestFirst(profile_, weights_);
    std::vector<uint64_t> starts(tree_.size());
    layout_.frames.push_back({ContextTree::root, 0, 0, 0, layout_.total, 0});
    placeChildren(ContextTree::root, children, starts);
    for (CallTreeWalk walk(children); walk.next();) {
      NodeIndex node = walk.node();
      if (!drawn_[node])
        continue;
      addRemaindersAbove(uint32_t(walk.depth()));
      layout_.frames.push_back(
          {node, 0, uint32_t(walk.depth()), starts[node], weights_[node], profile_.self(node)});
      placeChildren(node, children, starts);
    }
    addRemaindersAbove(0);
    for (const FlameFrame &frame : layout_.frames)
      layout_.levels = std::max(layout_.levels, frame.level + 1);
    return std::move(layout_);
  }

private:
  // A context weighs no more than its caller and has a larger number. So a selection by weight,
  // then number, includes the callers of all its contexts.
  void chooseContexts(size_t maxFrames) {
    std::vector<NodeIndex> candidates;
    for (NodeIndex node = 1; node < tree_.size(); ++node)
      if (weights_[node] >= smallest_)
        candidates.push_back(node);
    if (candidates.size() > maxFrames) {
      std::nth_element(candidates.begin(), candidates.begin() + maxFrames, candidates.end(),
                       [&](NodeIndex a, NodeIndex b) {
                         return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a < b;
                       });
      candidates.resize(maxFrames);
    }
    drawn_.resize(tree_.size());
    drawn_[ContextTree::root] = true;
    for (NodeIndex node : candidates)
      drawn_[node] = true;
  }

  void countContexts() {
    contexts_.assign(tree_.size(), 1);
    for (auto node = NodeIndex(tree_.size()); node-- > 1;)
      contexts_[tree_[node].parent] += contexts_[node];
  }

  /// Places the callees of `node` from its left edge on, and remembers the remainder.
  void placeChildren(NodeIndex node, const ContextTree::Children &children,
                     std::vector<uint64_t> &starts) {
    uint64_t next = starts[node];
    FlameFrame rest{node, 0, layout_.frames.back().level + 1, 0, 0, 0};
    for (NodeIndex child : children.of(node)) {
      if (drawn_[child]) {
        starts[child] = next;
        next = SaturatingAdd(next, weights_[child]);
      } else if (weights_[child] > 0) {
        rest.folded += contexts_[child];
        rest.weight = SaturatingAdd(rest.weight, weights_[child]);
      }
    }
    if (rest.folded == 0)
      return;
    layout_.foldedContexts += rest.folded;
    layout_.foldedWeight = SaturatingAdd(layout_.foldedWeight, rest.weight);
    rest.start = next;
    rest.self = rest.weight;
    if (rest.weight >= smallest_)
      remainders_.push_back(rest);
  }

  /// Adds the remainders of callers whose subtrees are complete.
  void addRemaindersAbove(uint32_t depth) {
    for (; !remainders_.empty() && remainders_.back().level > depth; remainders_.pop_back())
      layout_.frames.push_back(remainders_.back());
  }

  const Profile &profile_;
  const ContextTree &tree_;
  std::vector<uint64_t> weights_;
  uint64_t smallest_;
  std::vector<bool> drawn_;
  /// By context, the number of contexts in its subtree.
  std::vector<uint32_t> contexts_;
  /// Remainders of the callers of the last frame, outermost first.
  std::vector<FlameFrame> remainders_;
  FlameLayout layout_;
};

} // namespace

FlameLayout warpo::layOutFlames(const Profile &profile, const FlameLimits &limits) {
  return FlameBuilder(profile, limits).build();
}
