//===- HeapEvent.h - What a program did with its heap ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/record-format.md has the rules for calls that fail or allocate nothing.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_HEAPEVENT_H
#define WARPO_RECORD_HEAPEVENT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

enum class HeapOperation : uint8_t {
  /// Allocates `size` bytes at `address`. Address 0: it failed, or the requested size was 0.
  allocate,
  /// Frees the block at `address`.
  free,
  /// Moves the block at `oldAddress` to `address` and resizes it to `size` bytes. Address 0: it
  /// failed, and the old block is unchanged.
  reallocate,
  /// The memory has `size` bytes. A memory's first one gives its size when recording began.
  grow,
  /// The table has `size` elements. A table's first one gives its size before it grew.
  /// Elements are not part of the program's memory and not included in sums of bytes. Tables and
  /// memories are numbered separately.
  growTable,
};

/// Their names in text output, in the order of HeapOperation.
inline constexpr llvm::StringLiteral heapOperationNames[] = {"allocate", "free", "reallocate",
                                                             "grow", "grow-table"};

/// One change of a heap. Records with heap sampling (StreamInfo::heapInterval) have the sampled
/// allocations, their reallocations and frees, and all growth.
struct HeapEvent {
  /// A count of the record's clock.
  uint64_t time = 0;
  /// 0 for grow and growTable.
  uint64_t address = 0;
  /// The requested size in bytes; the whole memory's for grow, 0 for free, elements for growTable.
  uint64_t size = 0;
  /// For reallocate; else 0.
  uint64_t oldAddress = 0;
  /// The calling stack, an index into RecordHeader::stacks. 0: unknown.
  uint32_t stack = 0;
  /// The number of the memory, the same in all streams that share it, and unique in the record. For
  /// growTable the number of the table; tables are numbered separately.
  uint32_t memory = 0;
  HeapOperation operation = HeapOperation::allocate;

  uint64_t begin() const { return time; }
};

} // namespace warpo

#endif
