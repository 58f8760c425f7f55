//===- ContextTree.h - The shape of a profile: who was called from where --===//
// SPDX-License-Identifier: Apache-2.0
//
// A context is a function called from its parent context. Weights of contexts are in separate
// columns: see Profile.h.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_CONTEXTTREE_H
#define WARPO_PROFILE_CONTEXTTREE_H

#include "warpo/Slice/CallTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace warpo {

class ContextTree {
public:
  /// The host: the parent of the outermost calls, without a function and without weight of its own.
  static constexpr NodeIndex root = 0;

  struct Context {
    /// Smaller than the context's own index.
    NodeIndex parent;
    FunctionIndex function;
  };

  ContextTree() : contexts_{{root, noFunction}} {}

  llvm::ArrayRef<Context> nodes() const { return contexts_; }
  const Context &operator[](NodeIndex node) const { return contexts_[node]; }
  /// Includes the root, so never 0.
  size_t size() const { return contexts_.size(); }

  /// Adds a context; `parent` must not have one of this function yet.
  NodeIndex append(NodeIndex parent, FunctionIndex function) {
    contexts_.push_back({parent, function});
    return NodeIndex(contexts_.size() - 1);
  }

  /// The children of each node, in one array: those of node n are from first[n] to first[n + 1].
  struct Children {
    std::vector<uint32_t> first;
    std::vector<NodeIndex> nodes;
    llvm::ArrayRef<NodeIndex> of(NodeIndex node) const {
      return llvm::ArrayRef(nodes).slice(first[node], first[node + 1] - first[node]);
    }
  };
  /// Sorts siblings by `before`.
  Children children(llvm::function_ref<bool(NodeIndex, NodeIndex)> before) const;
  /// Siblings in the order in which they were added.
  Children children() const;

private:
  std::vector<Context> contexts_;
};

/// Visits a tree in depth-first order: a node after its parent, its descendants before its next
/// sibling. Uses its own stack, because a tree may be deeper than the program's stack allows.
class CallTreeWalk {
public:
  /// The root itself is not visited.
  explicit CallTreeWalk(const ContextTree::Children &children) : children_(children) {
    push(ContextTree::root, 0);
  }

  /// Moves on to the next node; false if there is none.
  bool next() {
    if (pending_.empty())
      return false;
    current_ = pending_.back();
    pending_.pop_back();
    push(current_.node, current_.depth);
    return true;
  }
  NodeIndex node() const { return current_.node; }
  /// 1 for the outermost calls.
  size_t depth() const { return current_.depth; }

private:
  struct Place {
    NodeIndex node;
    uint32_t depth;
  };
  void push(NodeIndex parent, uint32_t depth) {
    llvm::ArrayRef<NodeIndex> nodes = children_.of(parent);
    for (size_t i = nodes.size(); i-- > 0;)
      pending_.push_back({nodes[i], depth + 1});
  }

  const ContextTree::Children &children_;
  std::vector<Place> pending_;
  Place current_{ContextTree::root, 0};
};

} // namespace warpo

#endif
