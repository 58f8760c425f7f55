//===- ModulePlaces.cpp - The frames of an offset -------------------------===//
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

SmallVector<CodePlace, 4> warpo::placesAt(const FunctionPlaces &function, uint64_t offset) {
  SmallVector<CodePlace, 4> places;
  // Where the code of the next call is.
  CodePlace at;
  const LineRow *row = lastUpTo(ArrayRef(function.rows), offset);
  if (row && row->line) {
    at.file = row->file;
    at.line = row->line;
  }
  const CallChange *change = lastUpTo(ArrayRef(function.changes), offset);
  for (at.call = change ? change->call : 0; at.call;) {
    places.push_back(at);
    const InlinedCall &inlined = function.calls[at.call - 1];
    at = {inlined.around, inlined.file, inlined.line, inlined.column};
  }
  places.push_back(at);
  return places;
}

SmallVector<SourceFrame, 4> warpo::locate(const ModulePlaces &places, uint64_t offset) {
  SmallVector<SourceFrame, 4> frames;
  const FunctionPlaces *function = functionAt(places, offset);
  if (!function)
    return frames;
  for (const CodePlace &place : placesAt(*function, offset)) {
    Inlinee code{function->name, function->file, function->line};
    if (place.call) {
      uint32_t inlinee = function->calls[place.call - 1].inlinee;
      code = inlinee ? places.inlinees[inlinee - 1] : Inlinee();
    }
    SourceFrame frame;
    frame.function = places.name(code.name);
    frame.file = places.file(place.file);
    frame.line = place.line;
    frame.column = place.column;
    frame.startFile = places.file(code.file);
    frame.startLine = code.line;
    frames.push_back(frame);
  }
  return frames;
}
