//===- EventPackets.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EventPackets.h"

using namespace llvm;

namespace warpo::perfetto {

static constexpr uint8_t continues = 0x80;

EventPackets::EventPackets(uint32_t sequence)
    : sequence_(sequence), shortLimit_(sequence < 0x80 ? 0x4000 : 0) {
  for (uint64_t i = 0; i < 8; ++i) {
    uint64_t begins = i >> 2;
    uint64_t wideDelta = i >> 1 & 1;
    uint64_t wideName = i & 1;
    uint64_t eventLength = begins ? 4 + wideName : 2;
    uint64_t headLength = 4 + wideDelta;
    uint64_t length = headLength + 4 + eventLength;
    Shape &shape = shapes_[i];
    // 0a length 40 delta
    shape.head = packetTag | (length - 2) << 8 | uint64_t(0x40) << 16 |
                 (wideDelta ? uint64_t(continues) << 24 : 0);
    // 50 sequence 5a length 48 type 50 name
    shape.tail = 0x50 | uint64_t(sequence) << 8 | uint64_t(0x5a) << 16 | eventLength << 24 |
                 uint64_t(0x48) << 32 | uint64_t(begins ? sliceBegin : sliceEnd) << 40 |
                 uint64_t(0x50) << 48 | (wideName ? uint64_t(continues) << 56 : 0);
    shape.headLength = uint32_t(headLength);
    shape.length = uint32_t(length);
  }
}

uint8_t *EventPackets::writeLong(uint8_t *at, uint64_t begins, uint64_t delta,
                                 uint64_t nameIid) const {
  uint8_t *packet = at;
  *at++ = packetTag;
  ++at;
  *at++ = 0x40;
  at = writeVarint(at, delta);
  *at++ = 0x50;
  at = writeVarint(at, sequence_);
  *at++ = 0x5a;
  uint8_t *event = at++;
  *at++ = 0x48;
  *at++ = begins ? sliceBegin : sliceEnd;
  if (begins) {
    *at++ = 0x50;
    at = writeVarint(at, nameIid);
  }
  *event = uint8_t(at - event - 1);
  packet[1] = uint8_t(at - packet - 2);
  return at;
}

} // namespace warpo::perfetto
