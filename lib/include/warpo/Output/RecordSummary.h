//===- RecordSummary.h - The contents of a record in a few lines ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_RECORDSUMMARY_H
#define WARPO_OUTPUT_RECORDSUMMARY_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/Slicing.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <vector>

namespace warpo {

/// Counts the events and the side entries of a record. Memory is O(streams + functions). Time that
/// the recorder took is no call.
class RecordSummary : public EventSink {
public:
  /// `functions`: of the record; outlives this.
  explicit RecordSummary(const FunctionTable &functions) : functions_(functions) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// Writes one `name: value` per line, for the whole record and then for each stream.
  void print(llvm::raw_ostream &os, const RecordHeader &header, std::optional<TimeScale> scale,
             const SlicingResult &result, const DamageReport &damage) const;

private:
  struct Stream {
    uint64_t calls = 0;
    uint64_t slices = 0;
    size_t depth = 0;
    size_t maxDepth = 0;
    std::optional<uint64_t> firstTime;
    uint64_t lastTime = 0;
    /// By measure, except time; nothing if unknown.
    std::array<std::optional<uint64_t>, maxMeasures> firstCounts = {};
    std::array<uint64_t, maxMeasures> lastCounts = {};
    SideCounts beside;
    uint64_t recording = 0;
    uint64_t recordingSince = 0;
  };
  llvm::ArrayRef<Event> calls(Stream &stream, llvm::ArrayRef<Event> events);
  void count(Stream &stream, llvm::ArrayRef<Event> events);
  size_t countFunctions() const;

  const FunctionTable &functions_;
  std::vector<Event> calls_;
  std::vector<Stream> streams_;
  /// By function, whether it was called.
  std::vector<uint8_t> called_;
};

} // namespace warpo

#endif
