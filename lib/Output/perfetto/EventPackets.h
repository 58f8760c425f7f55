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

  uint8_t *begin(uint8_t *at, uint64_t delta, uint32_t nameIid) const {
    uint8_t *packet = at;
    at = head(at, delta);
    std::memcpy(at, tail_, sizeof(tail_));
    uint8_t *event = at + eventLength_;
    at += tailLength_;
    at[-1] = sliceBegin;
    *at++ = 0x50;
    at = writeVarint(at, nameIid);
    *event = uint8_t(at - event - 1);
    packet[1] = uint8_t(at - packet - 2);
    return at;
  }

  uint8_t *end(uint8_t *at, uint64_t delta) const {
    uint8_t *packet = at;
    at = head(at, delta);
    // A copy of constant size is two moves; what it writes too much is overwritten by the next
    // packet.
    std::memcpy(at, tail_, sizeof(tail_));
    at += tailLength_;
    packet[1] = uint8_t(at - packet - 2);
    return at;
  }

private:
  static uint8_t *head(uint8_t *at, uint64_t delta) {
    at[0] = packetTag;
    at[2] = 0x40;
    return writeVarint(at + 3, delta);
  }

  // From the sequence number to the type of the event.
  uint8_t tail_[16] = {};
  uint8_t eventLength_;
  uint8_t tailLength_;
};

} // namespace warpo::perfetto

#endif
