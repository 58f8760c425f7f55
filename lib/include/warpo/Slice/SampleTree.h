//===- SampleTree.h - Samples, folded by their stacks ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_SAMPLETREE_H
#define WARPO_SLICE_SAMPLETREE_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/StackPlaces.h"

namespace warpo {

/// Makes a call tree of samples: each gives its stack's context what was spent since the sample
/// before. Its nodes have no calls. A stack is looked at once, however many samples name it.
/// Samples of a thread that waited (FunctionTable::isIdle) are nobody's, unless `countsIdle`.
class SampleTree {
public:
  /// The table of the record's functions and the header of its reader, which must outlive this.
  SampleTree(FunctionTable &functions, const RecordHeader &header, CallTreeOptions options,
             bool countsIdle = false);

  /// All stacks stand below frames of `around`, see StackPlaces::setRoot.
  void add(llvm::ArrayRef<StackSample> samples, llvm::ArrayRef<FunctionIndex> around = {});

  const CallTree &tree() const { return tree_; }
  bool empty() const { return samples_ == 0; }
  /// Samples that were counted in an `(other)` context, since the tree was full, and in a
  /// `(deeper)` one.
  uint64_t samplesInOther() const { return samplesInOther_; }
  uint64_t samplesTooDeep() const { return samplesTooDeep_; }

private:
  FunctionTable &functions_;
  const RecordHeader &header_;
  bool countsIdle_;
  CallTree tree_;
  StackPlaces places_;
  uint64_t samples_ = 0;
  uint64_t samplesInOther_ = 0;
  uint64_t samplesTooDeep_ = 0;
};

} // namespace warpo

#endif
