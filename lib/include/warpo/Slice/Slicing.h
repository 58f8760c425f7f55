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
  /// Time of the earliest entry.
  std::optional<uint64_t> firstTime;
  /// The latest time that was read.
  std::optional<uint64_t> lastTime;
  RepairCounts repairs;
  /// False if the sink was done before the record was.
  bool readWhole = true;
};

struct SlicingOptions {
  /// If given, receives the events too, and is finished.
  class OverlapFinder *overlaps = nullptr;
  /// The time of the record's earliest entry, if the reader may skip that.
  std::optional<uint64_t> start = std::nullopt;
  /// The reader may skip entries at the end, and with them what belongs to a trap.
  bool mayEndEarly = false;
  /// The reader has not corrected the times, so that they can be compared with those of phases.
  bool hasOwnTimes = true;
};

/// Reads `reader` to its end, or until `sink` is done, and passes the events that `slicer` makes of
/// it to `sink`; finally calls its finish(). The events of streams that share a stack are merged
/// into those of the stream that stands for it, and their fuel is added up; samples are passed on
/// unchanged. Damage of the record is added to `damage`. `observe` is called with each batch first;
/// an error from it stops reading.
llvm::Expected<SlicingResult>
sliceRecord(RecordReader &reader, FunctionTable &functions, Slicer &slicer, EventSink &sink,
            DamageReport &damage, llvm::function_ref<llvm::Error(const RecordBatch &)> observe,
            const SlicingOptions &options = {});

/// Adds the notes of a batch to `damage`, with the texts that all tools use.
void reportNotes(const RecordBatch &batch, const RecordHeader &header, DamageReport &damage);

} // namespace warpo

#endif
