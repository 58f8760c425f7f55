//===- FrameOffsets.h - Where the frames of stacks were executing ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_FRAMEOFFSETS_H
#define WARPO_LIB_RECORD_WARPO_FRAMEOFFSETS_H

#include "warpo/Support/ByteCursor.h"
#include <vector>

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

} // namespace warpo

#endif
