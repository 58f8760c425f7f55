//===- StackCounts.h - Columns of streams that share a stack --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_STACKCOUNTS_H
#define WARPO_SLICE_STACKCOUNTS_H

#include "warpo/Record/RecordBatch.h"
#include <vector>

namespace warpo {

/// Adds up the columns of the streams of each stack, as each stream counts separately. The amount
/// that a stream has spent since its last entry is added at its next one.
class StackCounts {
public:
  /// The stack's columns at each entry of `batch`, limited to columns of the batch's stream. Valid
  /// until the next call.
  CountColumns sumsOf(StreamIndex stack, const RecordBatch &batch);

private:
  struct Last {
    uint64_t count = 0;
    bool isKnown = false;
  };
  using LastCounts = std::array<Last, maxColumns>;
  std::vector<LastCounts> streams_;
  /// By stack.
  std::vector<LastCounts> sums_;
  std::array<std::vector<uint64_t>, maxColumns> columns_;
};

} // namespace warpo

#endif
