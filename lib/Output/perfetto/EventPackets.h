//===- EventPackets.h - Packs a trace's events by hand --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Packs begin and end of a slice, and the names they refer to: this takes about 3 ns, compared to
// 100 ns and more with protobuf's message objects. The bytes, with lengths for a sequence number
// and a name number below 128 and a time difference below 128 ns:
//
//   begin  0a 0a  40 delta  50 sequence  5a 04  48 01  50 name
//   end    0a 08  40 delta  50 sequence  5a 02  48 02
//   name   0a ..  50 sequence  62 ..  12 ..  08 name  12 .. text
//
// A begin of a function with a known source location is followed by 90 02 and the location's
// number, which equals the name's. For each counter, 60 and the amount added to it follow: two more
// bytes, three from 128 on.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PERFETTO_EVENTPACKETS_H
#define WARPO_OUTPUT_PERFETTO_EVENTPACKETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>

namespace warpo::perfetto {

inline constexpr unsigned maxVarint = 10;
/// The tag of the field `packet` of a Trace.
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

inline size_t varintSize(uint64_t value) {
  return value < 0x80 ? 1 : (llvm::Log2_64(value) + 7) / 7;
}

/// Writes the events of one sequence.
class EventPackets {
public:
  /// Maximum size of a packet, including the few bytes that are written beyond its end.
  static constexpr size_t maxPacket = 96;

  explicit EventPackets(uint32_t sequence);

  /// Writes a begin (`begins` is 1) or an end (0); `nameIid` is used for a begin only. Does not
  /// branch on `begins`, which is unpredictable: a misprediction costs more than everything else.
  /// The usual packet has one of eight shapes, is assembled in registers and stored by three moves;
  /// excess bytes are overwritten by the next packet.
  uint8_t *write(uint8_t *at, uint64_t begins, uint64_t delta, uint64_t nameIid) const {
    if (LLVM_UNLIKELY((delta | nameIid) >= shortLimit_))
      return writeLong(at, begins, delta, nameIid);
    const Shape &shape = shapes_[begins << 2 | uint64_t(delta >= 0x80) << 1 | (nameIid >= 0x80)];
    uint64_t deltaBytes = (delta & 0x7f) | (delta << 1 & 0x7f00);
    llvm::support::endian::write64le(at, shape.head | deltaBytes << 24);
    llvm::support::endian::write64le(at + shape.headLength, shape.tail | nameIid << 57 >> 1);
    at[shape.headLength + 8] = uint8_t(nameIid >> 7);
    return at + shape.length;
  }

  /// The same, with the amounts added to the sequence's counters since the previous event and,
  /// unless it is 0, the number of the source location.
  uint8_t *writeMore(uint8_t *at, uint64_t begins, uint64_t delta, uint64_t nameIid,
                     llvm::ArrayRef<uint64_t> added, uint64_t placeIid) const {
    uint8_t *end = write(at, begins, delta, nameIid);
    uint8_t *event = end - (2 + begins * (1 + varintSize(nameIid)));
    uint8_t *counted = end;
    if (placeIid != 0) {
      *counted++ = 0x90;
      *counted++ = 0x02;
      counted = writeVarint(counted, placeIid);
    }
    for (uint64_t count : added) {
      *counted = 0x60;
      counted = writeVarint(counted + 1, count);
    }
    // The lengths of the packet and of the event in it, one byte each.
    at[1] += uint8_t(counted - end);
    event[-1] += uint8_t(counted - end);
    return counted;
  }

  /// Maximum size of the packet of a name.
  static size_t namePacketSize(llvm::StringRef text) { return text.size() + 6 * maxVarint; }

  /// Defines `nameIid` as `text`, which must be UTF-8, for the events that follow.
  uint8_t *writeName(uint8_t *at, uint32_t nameIid, llvm::StringRef text) const {
    size_t nameLength = 1 + varintSize(nameIid) + 1 + varintSize(text.size()) + text.size();
    size_t dataLength = 1 + varintSize(nameLength) + nameLength;
    size_t packetLength = 1 + varintSize(sequence_) + 1 + varintSize(dataLength) + dataLength;
    *at++ = packetTag;
    at = writeVarint(at, packetLength);
    *at++ = 0x50;
    at = writeVarint(at, sequence_);
    *at++ = 0x62;
    at = writeVarint(at, dataLength);
    *at++ = 0x12;
    at = writeVarint(at, nameLength);
    *at++ = 0x08;
    at = writeVarint(at, nameIid);
    *at++ = 0x12;
    at = writeVarint(at, text.size());
    return std::copy(text.bytes_begin(), text.bytes_end(), at);
  }

private:
  /// The common parts of packets whose numbers have the same sizes.
  struct Shape {
    /// From the packet's tag to the time difference, which goes into the bytes from the fourth
    /// on.
    uint64_t head;
    /// From the sequence number to the first byte of the name's number, which goes into the last
    /// byte.
    uint64_t tail;
    uint32_t headLength;
    /// Length of the whole packet.
    uint32_t length;
  };

  uint8_t *writeLong(uint8_t *at, uint64_t begins, uint64_t delta, uint64_t nameIid) const;

  Shape shapes_[8];
  uint32_t sequence_;
  /// Time differences and name numbers from here on are written by writeLong(); 0 if the sequence
  /// number is too large.
  uint64_t shortLimit_;
};

} // namespace warpo::perfetto

#endif
