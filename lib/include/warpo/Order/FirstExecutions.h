//===- FirstExecutions.h - The order of first executions ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ORDER_FIRSTEXECUTIONS_H
#define WARPO_ORDER_FIRSTEXECUTIONS_H

#include "warpo/Slice/Event.h"
#include "llvm/ADT/DenseSet.h"

namespace warpo {

/// Keeps the first begin of each function in each stream. The record may be a full trace or have
/// first begins only. Memory is O(streams times executed functions), whatever the size of the
/// record.
class FirstExecutions : public CallSink {
public:
  struct Execution {
    FunctionIndex function;
    /// Counts of the record's clock.
    uint64_t time;
  };

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// Streams without calls are included; their order is empty.
  size_t streamCount() const { return streams_.size(); }
  llvm::ArrayRef<Execution> of(StreamIndex stream) const { return streams_[stream].order; }

  /// The order over several streams: each function at its first execution in any of them. At equal
  /// times the earlier one in `streams` comes first.
  std::vector<FunctionIndex> merged(llvm::ArrayRef<StreamIndex> streams) const;

private:
  struct Stream {
    llvm::DenseSet<FunctionIndex> seen;
    std::vector<Execution> order;
  };
  std::vector<Stream> streams_;
};

} // namespace warpo

#endif
