//===- SampleTree.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/SampleTree.h"

using namespace llvm;
using namespace warpo;

SampleTree::SampleTree(FunctionTable &functions, const RecordHeader &header,
                       CallTreeOptions options, bool countsIdle)
    : functions_(functions), header_(header), options_(options), countsIdle_(countsIdle),
      otherFunction_(functions.pseudoFunction("(other)")),
      deeperFunction_(functions.pseudoFunction("(deeper)")) {}

SampleTree::Place SampleTree::below(const Place &parent, FunctionIndex function) {
  // Below an (other) or a (deeper) everything is so: no chain of them for a deep stack.
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

void SampleTree::setRoot(FunctionIndex around) {
  if (around == around_ && !places_.empty())
    return;
  around_ = around;
  places_.assign(1, {.isKnown = true});
  if (around != noFunction)
    places_[0] = below(places_[0], around);
}

const SampleTree::Place &SampleTree::placeOf(uint32_t stack) {
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
  return places_[stack];
}

void SampleTree::add(ArrayRef<StackSample> samples, FunctionIndex around) {
  samples_ += samples.size();
  setRoot(around);
  auto columns = ColumnIndex(header_.columns().size());
  for (const StackSample &sample : samples) {
    const Place &place = placeOf(sample.stack);
    FunctionIndex function = tree_[place.node].function;
    samplesInOther_ += function == otherFunction_;
    samplesTooDeep_ += function == deeperFunction_;
    // The host's own weight is nobody's.
    if (sample.stack == 0 || (!countsIdle_ && functions_.isIdle(sample.stack)))
      continue;
    tree_.addTime(place.node, sample.timeSince);
    for (ColumnIndex column = 0; column < columns; ++column)
      tree_.addCount(place.node, column, sample.countsSince[column]);
    tree_.addSamples(place.node, 1);
  }
}
