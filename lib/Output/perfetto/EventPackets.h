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
#include <cstdint>
#include <cstring>

namespace warpo::perfetto {

inline constexpr unsigned maxVarint = 10;
/// Field `packet` of a Trace.
inline constexpr uint8_t packetTag = 0x0a;
inline constexpr uint8_t sliceBegin = 1;
inline constexpr uint8_t sliceEnd = 2;

inline uint8_t *writeVarint(uint8_t *at, uint64_t value) {
  while (LLVM_UNLIKELY(value >= 0x80)) {
    *at++ = uint8_t(value) | 0x80;
    value >>= 7;
  }
  *at++ = uint8_t(value);
  return at;
}

/// The same, without a branch for numbers of one and two bytes; may write one byte beyond its
/// result.
inline uint8_t *writeShortVarint(uint8_t *at, uint64_t value) {
  if (LLVM_UNLIKELY(value >= 1 << 14))
    return writeVarint(at, value);
  bool two = value >= 0x80;
  at[0] = uint8_t(value) | uint8_t(two << 7);
  at[1] = uint8_t(value >> 7);
  return at + 1 + two;
}

/// Writes the events of one sequence. What does not change from event to event is laid ready once.
class EventPackets {
public:
  /// Room that a packet may need, the few bytes included that are written beyond its end.
  static constexpr size_t maxPacket = 64;

  explicit EventPackets(uint32_t sequence) {
    uint8_t *at = tail_;
    *at++ = 0x50;
    at = writeVarint(at, sequence);
    *at++ = 0x5a;
    eventLength_ = uint8_t(at - tail_);
    *at++ = 2;
    *at++ = 0x48;
    *at++ = sliceEnd;
    tailLength_ = uint8_t(at - tail_);
  }

  /// Writes a begin or an end; `nameIid` counts for a begin only. Without a branch on which of them
  /// it is: that is as good as random, and mispredicting it costs more than all the stores.
  uint8_t *write(uint8_t *at, bool begins, uint64_t delta, uint32_t nameIid) const {
    uint8_t *packet = at;
    packet[0] = packetTag;
    packet[2] = 0x40;
    at = writeShortVarint(packet + 3, delta);
    // A copy of constant size is one move; what it writes too much is overwritten by what follows.
    std::memcpy(at, tail_, sizeof(tail_));
    uint8_t *event = at + eventLength_;
    at += tailLength_;
    at[-1] = begins ? sliceBegin : sliceEnd;
    at[0] = 0x50;
    uint8_t *nameEnd = writeShortVarint(at + 1, nameIid);
    at = begins ? nameEnd : at;
    *event = uint8_t(at - event - 1);
    packet[1] = uint8_t(at - packet - 2);
    return at;
  }

private:
  // From the sequence number to the type of the event.
  uint8_t tail_[16] = {};
  uint8_t eventLength_;
  uint8_t tailLength_;
};

} // namespace warpo::perfetto

#endif
