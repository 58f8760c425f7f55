//===- FrameOffsets.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FrameOffsets.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Support/CallKind.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

bool AnnouncedOffsets::read(ByteCursor &cursor) {
  clear();
  next_ = cursor.uleb64();
  const uint8_t *begin = cursor.position(), *end = begin;
  while (cursor.ok() && !cursor.atEnd() && cursor.uleb64() >> 33 == 0 && cursor.ok())
    end = cursor.position();
  places_.assign(begin, end);
  return cursor.ok() && end == cursor.position();
}

AnnouncedOffsets::Place AnnouncedOffsets::take(uint64_t number) {
  uint64_t place = 0;
  ByteCursor cursor(ArrayRef<uint8_t>(places_).drop_front(at_));
  while (next_ <= number && !cursor.atEnd()) {
    place = cursor.uleb64();
    if (next_++ != number)
      place = 0;
  }
  at_ = places_.size() - cursor.remaining();
  return {place / 2, place % 2 != 0};
}

InstrumentedCode::InstrumentedCode(const SourcePlaces *places) {
  if (!places || places->contents.empty())
    return;
  auto decoded =
      decodePlaces(arrayRefFromStringRef(places->contents), "places", PlaceLines::leftOut);
  // They have been read before.
  if (!decoded) {
    consumeError(decoded.takeError());
    return;
  }
  map_ = std::move(decoded->map);
  if (!map_.runs.empty())
    for (const FunctionPlaces &function : decoded->functions)
      bodies_.push_back({function.start, function.size, function.id});
}

uint32_t InstrumentedCode::originalOf(int32_t function, uint64_t offset) const {
  uint32_t original = map_.originalOf(offset);
  auto behind = partition_point(bodies_, [=](const Body &body) { return body.start <= original; });
  if (original == 0 || behind == bodies_.begin())
    return original;
  const Body &body = *std::prev(behind);
  bool isOther = original - body.start < body.size && body.id != withoutMarks(function);
  return isOther ? 0 : original;
}

uint64_t InstrumentedCode::size() const {
  return map_.runs.size() * sizeof(CodeMap::Run) + bodies_.size() * sizeof(Body);
}
