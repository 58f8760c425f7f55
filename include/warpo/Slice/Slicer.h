//===- Slicer.h - The registry of slicers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A slicer decides which calls are made of a record's entries. It says begin and end to an
// EventBuilder, which nests and repairs; it knows no names and does no input or output.
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

  /// Takes the next entries of the stack that `batch.stream` stands for: its own, unless several
  /// streams share one. Each stack has its own builder, always the same, which knows the ids of the
  /// module that the entries are of.
  virtual void process(const RecordBatch &batch, EventBuilder &calls) = 0;
  /// The stream of `calls` has ended. What the builder still has open is ended afterwards.
  virtual void finish(EventBuilder &calls) {}
  /// Whether what is made of a window of such a record stays the same if the entries before it are
  /// replaced by a begin for each call that is open: then they need not be read.
  virtual bool needsOpenCallsOnly(const RecordHeader &header) const { return false; }
};

} // namespace warpo

#endif
