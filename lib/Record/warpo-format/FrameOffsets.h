//===- FrameOffsets.h - Code offsets of stacks' frames --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_FRAMEOFFSETS_H
#define WARPO_LIB_RECORD_WARPO_FRAMEOFFSETS_H

#include "warpo/Support/ByteCursor.h"
#include <vector>

namespace warpo {

/// The contents of a block `offsets`, for the stacks declared by the next block of stacks.
class AnnouncedOffsets {
public:
  struct Place {
    uint64_t offset = 0;
    /// Whether it is an offset in the instrumented module's file; otherwise in the original's code.
    bool isInstrumented = false;
  };

  /// Reads a block. False if it is invalid from the cursor on; contents before that are kept.
  bool read(ByteCursor &cursor);
  /// The place of a stack; call for stacks in ascending order. Offset 0 if there is none.
  Place take(uint64_t number);
  /// Drops the rest, which belongs to no stack.
  void clear() { *this = AnnouncedOffsets(); }

private:
  /// Still encoded, as a block may have millions.
  std::vector<uint8_t> places_;
  uint64_t next_ = 0;
  size_t at_ = 0;
};

} // namespace warpo

#endif
