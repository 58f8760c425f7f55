//===- StackPlaces.h - Contexts of a record's stacks in a call tree -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_STACKPLACES_H
#define WARPO_SLICE_STACKPLACES_H

#include "warpo/Slice/CallTree.h"

namespace warpo {

/// Finds the context of each of a record's stacks in a call tree. A stack is resolved once, however
/// often it is requested.
class StackPlaces {
public:
  /// `functions` is the record's table. It and the tree must outlive this.
  StackPlaces(FunctionTable &functions, CallTree &tree, CallTreeOptions options);

  /// From now on all stacks are below frames of `around`, outermost first; noFunction is ignored.
  /// Fast if it seldom changes.
  void setRoot(llvm::ArrayRef<FunctionIndex> around);
  /// `stack` is an index into FunctionTable::stacks().
  NodeIndex operator[](uint32_t stack);

  /// Whether a context is `(other)`, as the tree was full, or `(deeper)`.
  bool isOther(NodeIndex node) const { return tree_[node].function == otherFunction_; }
  bool isTooDeep(NodeIndex node) const { return tree_[node].function == deeperFunction_; }

private:
  struct Place {
    NodeIndex node = CallTree::root;
    uint32_t depth = 0;
    bool isKnown = false;
  };
  Place below(const Place &parent, FunctionIndex function);

  FunctionTable &functions_;
  CallTree &tree_;
  CallTreeOptions options_;
  FunctionIndex otherFunction_;
  FunctionIndex deeperFunction_;
  /// The frames around all stacks; below, by the record's stacks, their places.
  llvm::SmallVector<FunctionIndex, 2> around_;
  std::vector<Place> places_;
};

} // namespace warpo

#endif
