//===- ProbeShare.h - How much of a record's time is that of recording ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_PROBESHARE_H
#define WARPO_RECORD_PROBESHARE_H

#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// Adds up what recording the entries of a record took, as the record states it, and how long its
/// stacks lasted. A lower bound: in a program, a trace point takes longer than in the loop in which
/// recorders measure it.
class ProbeShare {
public:
  /// `stack`: the stream that stands for the stack of the batch's.
  void add(const RecordBatch &batch, StreamIndex stack);

  /// From 0 to 1. The cost may be known only once the record has been read.
  double of(ProbeCost cost) const;
  uint64_t entries() const { return entries_; }

private:
  struct Span {
    uint64_t first = 0;
    uint64_t last = 0;
    bool isKnown = false;
  };
  /// By the stream that stands for the stack.
  std::vector<Span> spans_;
  uint64_t entries_ = 0;
};

} // namespace warpo

#endif
