//===- RarePackets.h - Perfetto packets that are not worth packing by hand ===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function returns the bytes of complete packets of a Trace. Only Packets.h includes protobuf.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PERFETTO_RAREPACKETS_H
#define WARPO_OUTPUT_PERFETTO_RAREPACKETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace warpo::perfetto {

/// The numbers of categories in each sequence: lost ranges, suspensions, and flows from one stack
/// to another.
inline constexpr uint64_t lostCategory = 1;
inline constexpr uint64_t suspendedCategory = 2;
inline constexpr uint64_t asyncCategory = 3;

/// The process that all tracks belong to.
std::string processPacket(uint32_t sequence, uint64_t nanoseconds, uint64_t uuid, uint32_t number,
                          llvm::StringRef name);

/// The packets that a sequence begins with: cleared state, defaults, the sequence's clock set to
/// `nanoseconds`, its track, and the categories. `isFirst` if nothing of the sequence has been
/// written yet. Each event may carry the amounts added to the `counters` since the previous event;
/// they start at 0.
struct SequenceStart {
  struct Counter {
    uint64_t uuid;
    std::string name;
    llvm::StringRef unit;
  };

  uint32_t sequence;
  uint64_t nanoseconds;
  uint64_t trackUuid;
  uint64_t processUuid;
  llvm::StringRef trackName;
  bool isFirst;
  llvm::SmallVector<Counter, 1> counters = {};
};
std::string sequenceStartPackets(const SequenceStart &start);

/// Defines `textIid` as `text` for the lost ranges that follow.
std::string lostTextPacket(uint32_t sequence, uint64_t textIid, llvm::StringRef text);

/// Defines `placeIid` as a source location for the slices that follow. Line 0: unknown.
std::string placePacket(uint32_t sequence, uint64_t placeIid, llvm::StringRef file, uint32_t line);

/// The begin of a lost range. `delta` is the time on the sequence's clock; `entries` is 0 if
/// unknown; `functionIid` is the number of the text with the function's name, 0 if none.
std::string lostBeginPacket(uint32_t sequence, uint64_t delta, uint64_t nameIid, uint64_t entries,
                            uint64_t functionIid);

/// Rare properties of a slice's begin: its category, and the flow that ends there; 0: none.
struct RareBegin {
  uint64_t category = 0;
  uint64_t flow = 0;
};
/// The begin of such a slice; `added` has the amounts for the sequence's counters.
std::string rareBeginPacket(uint32_t sequence, uint64_t delta, uint64_t nameIid, RareBegin begin,
                            llvm::ArrayRef<uint64_t> added);

/// An instant event of asyncCategory at which this flow begins or ends. Its time may be before that
/// of the previous packet.
std::string flowPacket(uint32_t sequence, uint64_t nanoseconds, uint64_t nameIid, uint64_t flow,
                       bool isEnd);

/// The header of a packet that holds `compressedSize` bytes of a zlib stream, which must follow.
std::string compressedPacketHeader(uint64_t compressedSize);

} // namespace warpo::perfetto

#endif
