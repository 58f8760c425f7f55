//===- HeapEvent.h - What a program did with its heap ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/record-format.md says what recorders record of calls that fail or ask for nothing.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_HEAPEVENT_H
#define WARPO_RECORD_HEAPEVENT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

enum class HeapOperation : uint8_t {
  /// `size` bytes at `address`. Address 0: it failed, or nothing was asked for.
  allocate,
  /// What was at `address` is free.
  free,
  /// What was at `oldAddress` is at `address` now, with `size` bytes. Address 0: it failed, and
  /// the old block is as it was.
  reallocate,
  /// The memory has `size` bytes. The first of a memory says what it had when recording began.
  grow,
  /// The table has `size` elements. The first of a table says what it had before it grew.
  /// Elements are no memory of the program: they count in no sum of bytes. Tables and memories are
  /// numbered apart.
  growTable,
};

/// What texts call them, in the order of HeapOperation.
inline constexpr llvm::StringLiteral heapOperationNames[] = {"allocate", "free", "reallocate",
                                                             "grow", "grow-table"};

/// One change of a heap. In a record that samples its heap (StreamInfo::heapInterval) the
/// allocations that were chosen, and what became of these; all growth.
struct HeapEvent {
  /// A count of the record's clock.
  uint64_t time = 0;
  /// 0 for grow and growTable.
  uint64_t address = 0;
  /// In bytes, as asked for; of grow, of the whole memory. 0 for free. Elements for growTable.
  uint64_t size = 0;
  /// Of reallocate; 0 for others.
  uint64_t oldAddress = 0;
  /// An index into RecordHeader::stacks: who did it. 0: unknown.
  uint32_t stack = 0;
  /// What addresses are of: streams that share a memory have one number for it, and different
  /// memories of a record different ones. Of growTable the table's: tables are numbered apart.
  uint32_t memory = 0;
  HeapOperation operation = HeapOperation::allocate;

  uint64_t begin() const { return time; }
};

} // namespace warpo

#endif
