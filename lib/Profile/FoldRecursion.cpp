//===- FoldRecursion.cpp - No function twice on a stack -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

namespace {

/// The folded stack at the current place of a walk. Each step is a few assignments, which the way
/// back undoes: entering a recursion shortens the folded stack, and leaving it restores it.
class FoldedStack {
public:
  /// `same`: see withoutLines().
  FoldedStack(ProfileBuilder &builder, std::vector<FunctionIndex> same)
      : builder_(builder), same_(std::move(same)), last_(same_.size(), ContextTree::root) {}

  /// A call of `function` from the stack's top; returns its context.
  NodeIndex enter(FunctionIndex function) {
    FunctionIndex whole = same_[function];
    NodeIndex known = last_[whole];
    if (known != ContextTree::root && isOnStack(known)) {
      steps_.push_back({known, noFunction, 0, 0});
      return known;
    }
    NodeIndex place = builder_.child(top(), function);
    uint32_t level = levels_[top()] + 1;
    levels_.resize(std::max<size_t>(levels_.size(), place + 1));
    levels_[place] = level;
    contexts_.resize(std::max<size_t>(contexts_.size(), level + 1));
    steps_.push_back({place, whole, known, contexts_[level]});
    last_[whole] = contexts_[level] = place;
    return place;
  }

  /// Undoes the last enter().
  void leave() {
    Step step = steps_.back();
    steps_.pop_back();
    if (step.entered == noFunction)
      return;
    last_[step.entered] = step.formerLast;
    contexts_[levels_[step.place]] = step.formerContext;
  }

  size_t depth() const { return steps_.size(); }

private:
  struct Step {
    NodeIndex place;
    /// noFunction: a recursion.
    FunctionIndex entered;
    NodeIndex formerLast;
    NodeIndex formerContext;
  };

  NodeIndex top() const { return steps_.empty() ? ContextTree::root : steps_.back().place; }
  bool isOnStack(NodeIndex place) const {
    return levels_[place] <= levels_[top()] && contexts_[levels_[place]] == place;
  }

  ProfileBuilder &builder_;
  /// For each function, the one whose recursion it is.
  std::vector<FunctionIndex> same_;
  std::vector<Step> steps_;
  /// For each function, where it was last entered.
  std::vector<NodeIndex> last_;
  /// The context at each level of the folded stack; above the top, those that were there before.
  std::vector<NodeIndex> contexts_{ContextTree::root};
  /// The level of each context.
  std::vector<uint32_t> levels_{0};
};

} // namespace

Profile warpo::foldRecursion(const Profile &profile) {
  ProfileBuilder builder(profile.emptyCopy());
  FoldedStack stack(builder, withoutLines(profile.functions));
  ContextTree::Children children = profile.tree.children();
  for (CallTreeWalk walk(children); walk.next();) {
    while (stack.depth() >= walk.depth())
      stack.leave();
    builder.addAll(stack.enter(profile.tree[walk.node()].function), profile, walk.node());
  }
  return builder.take();
}
