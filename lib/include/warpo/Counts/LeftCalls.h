//===- LeftCalls.h - Calls that were left in the middle -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A trap, or the end of the program within a call, leaves calls in the middle of a straight run.
// What their host knows of them stands in a file of counts behind the counters: docs/counts.md.
// Hosts know places of the instrumented module, and copy from it what leads back to the original.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_LEFTCALLS_H
#define WARPO_COUNTS_LEFTCALLS_H

#include "warpo/Support/ByteCursor.h"
#include <map>
#include <utility>

namespace warpo {

struct LeftCalls {
  /// Where calls of the original's functions were left.
  struct Place {
    uint32_t function = 0;
    /// Of the instruction, from the beginning of the code section's contents; 0: not known.
    uint32_t code = 0;

    auto operator<=>(const Place &) const = default;
  };

  /// How many.
  std::map<Place, uint64_t> calls;
  /// How many instances ended in the middle of calls that their host does not know.
  uint64_t unknownStacks = 0;

  /// Numbers stay at 2^64 - 1.
  void add(const LeftCalls &other);
};

/// Whether the next bytes are what stands behind the counters in a file, under one of the
/// signatures of CountArtifacts.h.
bool isAtLeftCalls(ByteCursor cursor, llvm::StringRef signature);
/// Fails the cursor where it is damaged.
LeftCalls readLeftCalls(ByteCursor &cursor);

} // namespace warpo

#endif
