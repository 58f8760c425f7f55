//===- StackPlaces.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/StackPlaces.h"

using namespace llvm;
using namespace warpo;

StackPlaces::StackPlaces(FunctionTable &functions, CallTree &tree, CallTreeOptions options)
    : functions_(functions), tree_(tree), options_(options),
      otherFunction_(functions.pseudoFunction("(other)")),
      deeperFunction_(functions.pseudoFunction("(deeper)")) {
  places_.assign(1, {.isKnown = true});
}

StackPlaces::Place StackPlaces::below(const Place &parent, FunctionIndex function) {
  // Everything below (other) or (deeper) is merged into it, so that a deep stack does not make a
  // chain of them.
  FunctionIndex around = tree_[parent.node].function;
  if (around == otherFunction_ || around == deeperFunction_)
    return {parent.node, parent.depth, true};
  if (parent.depth == options_.maxDepth)
    function = deeperFunction_;
  if (tree_.size() > options_.maxContexts && parent.node != CallTree::root &&
      !tree_.findChild(parent.node, function))
    function = otherFunction_;
  return {tree_.child(parent.node, function), parent.depth + 1, true};
}

void StackPlaces::setRoot(ArrayRef<FunctionIndex> around) {
  if (around == ArrayRef<FunctionIndex>(around_))
    return;
  around_.assign(around.begin(), around.end());
  places_.assign(1, {.isKnown = true});
  for (FunctionIndex frame : around)
    if (frame != noFunction)
      places_[0] = below(places_[0], frame);
}

NodeIndex StackPlaces::operator[](uint32_t stack) {
  ArrayRef<ResolvedStack> stacks = functions_.stacks();
  if (places_.size() < stacks.size())
    places_.resize(stacks.size());
  // Not by recursion: a stack may be as deep as a record is long.
  SmallVector<uint32_t> unknown;
  for (uint32_t around = stack; !places_[around].isKnown; around = stacks[around].parent)
    unknown.push_back(around);
  while (!unknown.empty()) {
    uint32_t next = unknown.pop_back_val();
    Place place = places_[stacks[next].parent];
    for (FunctionIndex function : functions_.framesOf(next))
      place = below(place, function);
    places_[next] = place;
  }
  return places_[stack].node;
}
