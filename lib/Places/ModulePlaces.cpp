//===- ModulePlaces.cpp - The frames of an offset --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Places/ModulePlaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

// The last of the items at or before an offset; null if there is none.
template <typename T> static const T *lastUpTo(ArrayRef<T> items, uint64_t offset) {
  auto behind = partition_point(items, [=](const T &item) { return item.offset <= offset; });
  return behind == items.begin() ? nullptr : std::prev(behind);
}

const FunctionPlaces *warpo::functionAt(const ModulePlaces &places, uint64_t offset) {
  auto behind = partition_point(places.functions,
                                [=](const FunctionPlaces &each) { return each.start <= offset; });
  if (behind == places.functions.begin())
    return nullptr;
  const FunctionPlaces &function = *std::prev(behind);
  return offset - function.start < function.size ? &function : nullptr;
}

SmallVector<SourceFrame, 4> warpo::locate(const ModulePlaces &places, uint64_t offset) {
  SmallVector<SourceFrame, 4> frames;
  const FunctionPlaces *found = functionAt(places, offset);
  if (!found)
    return frames;
  const FunctionPlaces &function = *found;
  // Where the code of the frame that comes next is.
  SourceFrame at;
  const LineRow *row = lastUpTo(ArrayRef(function.rows), offset);
  if (row && row->line) {
    at.file = places.file(row->file);
    at.line = row->line;
  }
  const CallChange *change = lastUpTo(ArrayRef(function.changes), offset);
  for (uint32_t call = change ? change->call : 0; call;) {
    const InlinedCall &inlined = function.calls[call - 1];
    if (inlined.inlinee) {
      const Inlinee &inlinee = places.inlinees[inlined.inlinee - 1];
      at.function = places.name(inlinee.name);
      at.startFile = places.file(inlinee.file);
      at.startLine = inlinee.line;
    }
    frames.push_back(at);
    at = SourceFrame();
    at.file = places.file(inlined.file);
    at.line = inlined.line;
    at.column = inlined.column;
    call = inlined.around;
  }
  at.function = places.name(function.name);
  at.startFile = places.file(function.file);
  at.startLine = function.line;
  frames.push_back(at);
  return frames;
}
