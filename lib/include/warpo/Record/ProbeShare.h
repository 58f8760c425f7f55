//===- ProbeShare.h - How much of a record's time is that of recording ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_PROBESHARE_H
#define WARPO_RECORD_PROBESHARE_H

#include "warpo/Record/ProbeRange.h"

namespace warpo {

/// Adds up how many entries a record has and how long its stacks ran, for the share of that time
/// which trace points took.
class ProbeShare {
public:
  /// `stack`: the stream that stands for the stack of the batch's; `scale` of its times, if known.
  void add(const RecordBatch &batch, StreamIndex stack, std::optional<TimeScale> scale);

  /// From 0 to 1 each.
  struct Share {
    double least = 0;
    double likely = 0;
    double most = 0;
  };
  /// The stated cost may be known only once the record has been read.
  Share of(ProbeCost stated) const;
  ProbeRange range(ProbeCost stated) const { return ProbeRange::of(stated, leafCalls_); }
  uint64_t entries() const { return entries_; }

private:
  struct Span {
    uint64_t first = 0;
    uint64_t last = 0;
    /// How long the recorder kept the thread, and since when it does so.
    uint64_t recording = 0;
    std::optional<uint64_t> recordingSince;
    bool isKnown = false;
  };
  /// By the stream that stands for the stack.
  std::vector<Span> spans_;
  LeafCalls leafCalls_;
  uint64_t entries_ = 0;
};

} // namespace warpo

#endif
