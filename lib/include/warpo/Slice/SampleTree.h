//===- SampleTree.h - Samples, merged by their stacks ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_SAMPLETREE_H
#define WARPO_SLICE_SAMPLETREE_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/StackPlaces.h"

namespace warpo {

/// Makes a call tree of samples: each adds the amounts since the previous sample to its stack's
/// context. Nodes have no calls. A stack is resolved once, however many samples have it. Samples of
/// a waiting thread (FunctionTable::isIdle) are not counted for any context unless `countsIdle`.
class SampleTree {
public:
  /// `functions` and `header` are the record's, and must outlive this.
  SampleTree(FunctionTable &functions, const RecordHeader &header, CallTreeOptions options,
             bool countsIdle = false);

  /// All stacks are below frames of `around`, see StackPlaces::setRoot.
  void add(llvm::ArrayRef<StackSample> samples, llvm::ArrayRef<FunctionIndex> around = {});

  const CallTree &tree() const { return tree_; }
  bool empty() const { return samples_ == 0; }
  /// The numbers of samples counted in an `(other)` context because the tree was full, and in a
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
