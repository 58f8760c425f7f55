//===- Slicing.h - Runs a record through a slicer -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_SLICING_H
#define WARPO_SLICE_SLICING_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/Slicer.h"
#include "warpo/Support/DamageReport.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo {

struct SlicingResult {
  uint64_t entries = 0;
  uint64_t samples = 0;
  /// Of the earliest entry.
  std::optional<uint64_t> firstTime;
  /// The latest of those that were read.
  std::optional<uint64_t> lastTime;
  RepairCounts repairs;
  /// False if the sink was done before the record was.
  bool readWhole = true;
};

/// Reads `reader` to its end, or until `sink` is done, and hands the events that `slicer` makes of
/// it to `sink`, whose finish() it calls last. Streams that share a stack have their events
/// together, as those of the stream that stands for it, and their fuel added up; samples are handed
/// on as they are. What is wrong with the record goes to `damage`. `observe` sees each batch first;
/// an error of it ends the work. `overlaps`, if given, sees the events too, and is finished.
/// `start` is the time of the record's earliest entry, where the reader may leave that out.
llvm::Expected<SlicingResult>
sliceRecord(RecordReader &reader, FunctionTable &functions, Slicer &slicer, EventSink &sink,
            DamageReport &damage, llvm::function_ref<llvm::Error(const RecordBatch &)> observe,
            class OverlapFinder *overlaps = nullptr, std::optional<uint64_t> start = std::nullopt);

/// Counts the notes of a batch as damage, in the words that all tools use.
void reportNotes(const RecordBatch &batch, const RecordHeader &header, DamageReport &damage);

} // namespace warpo

#endif
