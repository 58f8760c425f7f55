//===- HeapTable.h - A program's heap, as a table -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REPORT_HEAPTABLE_H
#define WARPO_REPORT_HEAPTABLE_H

#include "warpo/Heap/HeapAnalysis.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Report/Table.h"

namespace warpo {

/// What to do if no call of an allocator was recorded.
inline constexpr llvm::StringLiteral howToNameAllocators =
    "warpo record --heap --allocator= names allocators that have other names, or none, as in "
    "'alloc:get(size)->address,free:func[25](address)'";

struct HeapTableOptions {
  /// The scale of the record's clock, if known.
  std::optional<TimeScale> scale = {};
  /// The unit of times without a scale: `ticks`.
  std::string unit = "ticks";
  /// Whether the first part of the record was left out, so that memory in use is unknown.
  bool beganLate = false;
  /// The number of paths to show; 0: all.
  uint64_t maxPaths = 0;
};

/// The size of the memories and of their live objects; what was allocated, freed and left at the
/// end, by path; sizes and lifetimes of objects; and invalid frees.
Table heapTable(const HeapAnalysis &heap, const FunctionTable &functions,
                const HeapTableOptions &options, llvm::StringRef title);

} // namespace warpo

#endif
