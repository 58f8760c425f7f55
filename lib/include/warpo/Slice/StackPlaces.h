//===- StackPlaces.h - Where in a call tree a record's stacks are ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_STACKPLACES_H
#define WARPO_SLICE_STACKPLACES_H

#include "warpo/Slice/CallTree.h"

namespace warpo {

/// Gives each of a record's stacks its context in a call tree. A stack is looked at once, however
/// often it is asked for.
class StackPlaces {
public:
  /// The table of the record's functions, and the tree, which must outlive this.
  StackPlaces(FunctionTable &functions, CallTree &tree, CallTreeOptions options);

  /// From now on all stacks stand below frames of `around`, the outermost first, without those that
  /// are noFunction; quick if it seldom changes.
  void setRoot(llvm::ArrayRef<FunctionIndex> around);
  /// The context of an index into FunctionTable::stacks().
  NodeIndex operator[](uint32_t stack);

  /// Whether a context is that of the others, since the tree was full, or of what was too deep.
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
  /// The frames around all stacks, and below them by the record's stacks.
  llvm::SmallVector<FunctionIndex, 2> around_;
  std::vector<Place> places_;
};

} // namespace warpo

#endif
