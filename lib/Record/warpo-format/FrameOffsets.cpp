//===- FrameOffsets.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FrameOffsets.h"

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
