//===- EventPackets.h - The two packets that a trace consists of ----------===//
//
// Begin and end of a slice, packed by hand: through protobuf's message objects a packet costs 100
// ns and more, so about 3 ns. The bytes, with the lengths for a sequence number and a name number
// below 128 and a time difference below 128 ns:
//
//   begin  0a 0a  40 delta  50 sequence  5a 04  48 01  50 name
//   end    0a 08  40 delta  50 sequence  5a 02  48 02
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PERFETTO_EVENTPACKETS_H
#define WARPO_OUTPUT_PERFETTO_EVENTPACKETS_H

#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include <cstdint>

namespace warpo::perfetto {

inline constexpr unsigned maxVarint = 10;
/// Field `packet` of a Trace.
inline constexpr uint8_t packetTag = 0x0a;
inline constexpr uint8_t sliceBegin = 1;
inline constexpr uint8_t sliceEnd = 2;

inline uint8_t *writeVarint(uint8_t *at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = uint8_t(value) | 0x80;
    value >>= 7;
  }
  *at++ = uint8_t(value);
  return at;
}

/// Writes the events of one sequence.
class EventPackets {
public:
  /// Room that a packet may need, the few bytes included that are written beyond its end.
  static constexpr size_t maxPacket = 64;

  explicit EventPackets(uint32_t sequence) : sequence_(sequence) {}

  /// Writes a begin or an end; `nameIid` counts for a begin only. There is no branch on which of
  /// them it is: that is as good as random, and mispredicting it costs more than all the rest. The
  /// usual packet is put together in registers and stored in three moves; what these write too much
  /// is overwritten by the next packet.
  uint8_t *write(uint8_t *at, bool begins, uint64_t delta, uint32_t nameIid) const {
    if (LLVM_UNLIKELY(((delta | nameIid) >> 14) | (sequence_ >> 7)))
      return writeLong(at, begins, delta, nameIid);
    uint64_t wideDelta = delta >= 0x80;
    uint64_t wideName = nameIid >= 0x80;
    uint64_t isBegin = begins;
    uint64_t eventLength = 2 + isBegin * (2 + wideName);
    uint64_t headLength = 4 + wideDelta;
    uint64_t packetLength = headLength - 2 + 4 + eventLength;
    uint64_t deltaBytes = (delta & 0x7f) | wideDelta << 7 | delta >> 7 << 8;
    uint64_t nameByte = (nameIid & 0x7f) | wideName << 7;
    // 0a length 40 delta
    uint64_t head = packetTag | packetLength << 8 | uint64_t(0x40) << 16 | deltaBytes << 24;
    // 50 sequence 5a length 48 type 50 name
    uint64_t tail = 0x50'00'48'00'5a'00'50 | uint64_t(sequence_) << 8 | eventLength << 24 |
                    (sliceEnd - isBegin) << 40 | nameByte << 56;
    llvm::support::endian::write64le(at, head);
    llvm::support::endian::write64le(at + headLength, tail);
    at[headLength + 8] = uint8_t(nameIid >> 7);
    return at + headLength + 4 + eventLength;
  }

private:
  LLVM_ATTRIBUTE_NOINLINE uint8_t *writeLong(uint8_t *at, bool begins, uint64_t delta,
                                             uint32_t nameIid) const {
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

  uint32_t sequence_;
};

} // namespace warpo::perfetto

#endif
