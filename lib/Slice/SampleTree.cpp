//===- SampleTree.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/SampleTree.h"

using namespace llvm;
using namespace warpo;

SampleTree::SampleTree(FunctionTable &functions, const RecordHeader &header,
                       CallTreeOptions options, bool countsIdle)
    : functions_(functions), header_(header), countsIdle_(countsIdle),
      places_(functions, tree_, options) {}

void SampleTree::add(ArrayRef<StackSample> samples, ArrayRef<FunctionIndex> around) {
  samples_ += samples.size();
  places_.setRoot(around);
  auto columns = ColumnIndex(header_.columns().size());
  for (const StackSample &sample : samples) {
    NodeIndex node = places_[sample.stack];
    samplesInOther_ += places_.isOther(node);
    samplesTooDeep_ += places_.isTooDeep(node);
    // The host's own weight belongs to no function.
    if (sample.stack == 0 || (!countsIdle_ && functions_.isIdle(sample.stack)))
      continue;
    tree_.addTime(node, sample.timeSince);
    for (ColumnIndex column = 0; column < columns; ++column)
      tree_.addCount(node, column, sample.countsSince[column]);
    tree_.addSamples(node, 1);
  }
}
