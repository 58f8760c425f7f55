//===- HeapDecoder.h - The heap events of a block -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_HEAPDECODER_H
#define WARPO_LIB_RECORD_WARPO_HEAPDECODER_H

#include "warpo/Record/RecordBatch.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/ByteCursor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace warpo {

/// Unpacks a block of heap events, batch after batch, as docs/record-format.md says.
class HeapDecoder {
public:
  /// Begins a block at its first event, which `cursor` stands at.
  /// Differences of times and addresses lack so many lowest bits, less than 64.
  void begin(const ByteCursor &cursor, uint64_t base, uint32_t memory, unsigned timeShift,
             unsigned shift) {
    at_ = cursor.position();
    end_ = at_ + cursor.remaining();
    time_ = base;
    memory_ = memory;
    timeShift_ = timeShift;
    shift_ = shift;
    address_ = 0;
    stacks_.fill(notSought);
  }
  /// Appends events to `columns` until they are full or the block is at its end. False if the rest
  /// of the block makes no sense; what was appended is good. `findStack` knows the record's stacks
  /// by their numbers there.
  bool decode(RecordColumns &columns,
              llvm::function_ref<std::optional<uint32_t>(uint64_t)> findStack);

  bool atEnd() const { return at_ == end_; }
  uint64_t lastTime() const { return time_; }
  /// Of the first byte that has not been decoded.
  const uint8_t *position() const { return at_; }

private:
  const uint8_t *at_ = nullptr;
  const uint8_t *end_ = nullptr;
  uint64_t time_ = 0;
  uint64_t address_ = 0;
  uint32_t memory_ = 0;
  unsigned timeShift_ = 0, shift_ = 0;
  /// Slots of which the stack that they have at first has not been looked up yet.
  static constexpr uint32_t notSought = UINT32_MAX;
  /// That events name by one byte.
  std::array<uint32_t, warpo_heap_slots> stacks_{};
};

} // namespace warpo

#endif
