//===- FrameOffsets.h - Where the frames of stacks were executing ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_FRAMEOFFSETS_H
#define WARPO_LIB_RECORD_WARPO_FRAMEOFFSETS_H

#include "warpo/Places/CodeMap.h"
#include "warpo/Record/SourcePlaces.h"
#include "warpo/Support/ByteCursor.h"
#include <optional>

namespace warpo {

/// What a block `offsets` says of the stacks that the next block of stacks declares.
class AnnouncedOffsets {
public:
  struct Place {
    uint64_t offset = 0;
    /// Of the instrumented module's file; else of the original's code.
    bool isInstrumented = false;
  };

  /// Reads a block; false if it makes no sense from the cursor on. What stands before is kept.
  bool read(ByteCursor &cursor);
  /// Of a stack; to be asked for stacks in rising order. Offset 0 if nothing was said.
  Place take(uint64_t number);
  /// What is left speaks of no stack.
  void clear() { *this = AnnouncedOffsets(); }

private:
  /// As they stand in the block: it may have millions.
  std::vector<uint8_t> places_;
  uint64_t next_ = 0;
  size_t at_ = 0;
};

/// The way from an instrumented module to its original, for checking the offsets of frames.
class InstrumentedCode {
public:
  /// By the module's places; without them, or if they have no map, all is unknown.
  explicit InstrumentedCode(const SourcePlaces *places);

  /// Where in the original the frame of this function is; 0 if that is unknown, or in another one.
  uint32_t originalOf(int32_t function, uint64_t offset) const;
  /// Bytes of memory.
  uint64_t size() const;

private:
  struct Body {
    uint32_t start;
    uint32_t size;
    int32_t id;
  };

  CodeMap map_;
  /// Rising.
  std::vector<Body> bodies_;
};

} // namespace warpo

#endif
