//===- HeapTable.h - What became of a program's memory, as a table --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REPORT_HEAPTABLE_H
#define WARPO_REPORT_HEAPTABLE_H

#include "warpo/Heap/HeapAnalysis.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Report/Table.h"

namespace warpo {

struct HeapTableOptions {
  /// How long a count of the record's clock is, if that is known.
  std::optional<TimeScale> scale = {};
  /// What one is called without: `ticks`.
  std::string unit = "ticks";
  /// What is in use is not known, since the record's first part was left out.
  bool beganLate = false;
  /// How many paths are shown; 0: all.
  uint64_t maxPaths = 0;
};

/// The memories' size and what of it was live, what was allocated, freed and still there at the
/// end, by path, how large objects were and how long they lived, and frees that make no sense.
Table heapTable(const HeapAnalysis &heap, const FunctionTable &functions,
                const HeapTableOptions &options, llvm::StringRef title);

} // namespace warpo

#endif
