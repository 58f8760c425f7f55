//===- Slicer.h - The registry of slicers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A slicer decides which calls to make from a record's entries. It reports begins and ends to an
// EventBuilder, which nests and repairs them; it knows no names and does no input or output.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_SLICER_H
#define WARPO_SLICE_SLICER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventBuilder.h"
#include "warpo/Support/Registry.h"

namespace warpo {

class Slicer {
public:
  static constexpr llvm::StringLiteral kind = "slicer";
  virtual ~Slicer();

  /// Processes the next entries of the stack that `batch.stream` stands for: its own, unless
  /// several streams share one. Each stack always has the same builder, which knows the ids of the
  /// entries' module.
  virtual void process(const RecordBatch &batch, EventBuilder &calls) = 0;
  /// The stream of `calls` has ended. The builder then ends what is still open.
  virtual void finish(EventBuilder &calls) {}
  /// Whether the result for a window of such a record stays the same if the entries before it are
  /// replaced by a begin for each open call. They are then not read.
  virtual bool needsOpenCallsOnly(const RecordHeader &header) const { return false; }
};

} // namespace warpo

#endif
