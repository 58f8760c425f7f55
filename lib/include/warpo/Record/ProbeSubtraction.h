//===- ProbeSubtraction.h - Times without what recording took -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_PROBESUBTRACTION_H
#define WARPO_RECORD_PROBESUBTRACTION_H

#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// Gives the entries of another reader the times that they would have if recording them had taken
/// none: in each stream, every entry moves ahead by what the entries before it took. What an entry
/// took is never more than what passed until the next, so no time goes back. Streams move apart, as
/// each has its own entries, unless they share a stack: then the entries of all of them move each.
class ProbeSubtraction : public RecordFilter {
public:
  using RecordFilter::RecordFilter;

  llvm::Expected<bool> next(RecordBatch &batch) override;
  /// Nothing of it is left in the times.
  ProbeCost probe() const override { return {}; }

  /// What recording takes, as the record says.
  ProbeCost cost() const { return reader().probe(); }
  /// How much of the costs of all entries was taken away, from 0 to 1: where less time passed,
  /// there was less to take.
  double subtractedShare() const;
  /// Over all streams, in counts: what was taken away, of how much in all.
  uint64_t subtracted() const { return subtracted_; }
  uint64_t recorded() const { return recorded_; }

private:
  struct Stack {
    bool hasEntry = false;
    uint64_t lastTime = 0;
    /// By how much entries move.
    uint64_t offset = 0;
    /// What the last entry took, in 1/1024 of a count, with what was too little to move by before.
    uint64_t cost = 0;
  };

  /// By the stream that stands for it.
  std::vector<Stack> stacks_;
  std::vector<uint64_t> times_;
  uint64_t subtracted_ = 0;
  uint64_t recorded_ = 0;
  /// Of all entries behind which there is another, in 1/1024 of a count.
  double charged_ = 0;
};

} // namespace warpo

#endif
