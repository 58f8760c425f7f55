//===- RarePackets.h - Perfetto packets that are not worth packing by hand ===//
// SPDX-License-Identifier: Apache-2.0
//
// Each function returns the bytes of whole packets of a Trace. protobuf is behind Packets.h.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PERFETTO_RAREPACKETS_H
#define WARPO_OUTPUT_PERFETTO_RAREPACKETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace warpo::perfetto {

/// The numbers of categories in each sequence: of lost ranges, of suspensions, and of what leads
/// from one stack to another.
inline constexpr uint64_t lostCategory = 1;
inline constexpr uint64_t suspendedCategory = 2;
inline constexpr uint64_t asyncCategory = 3;

/// The process that all tracks hang under.
std::string processPacket(uint32_t sequence, uint64_t nanoseconds, uint64_t uuid, uint32_t number,
                          llvm::StringRef name);

/// What a sequence needs before its events: cleared state, defaults, its own clock set to
/// `nanoseconds`, its track, and the categories. `isFirst` if nothing of the sequence
/// has been written yet. Each event may carry how much has been added to each of the `counters`
/// since the last one, from 0 on.
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

/// `textIid` stands for `text` in the lost ranges that follow.
std::string lostTextPacket(uint32_t sequence, uint64_t textIid, llvm::StringRef text);

/// `placeIid` stands for a place in the source in the slices that follow. Line 0: unknown.
std::string placePacket(uint32_t sequence, uint64_t placeIid, llvm::StringRef file, uint32_t line);

/// A slice of the category of lost ranges begins. `delta` is the sequence's clock; `entries` 0 if
/// unknown; `functionIid` the number of the text with the function's name, 0 if none.
std::string lostBeginPacket(uint32_t sequence, uint64_t delta, uint64_t nameIid, uint64_t entries,
                            uint64_t functionIid);

/// What is rare about the begin of a slice: its category, and the flow that leads to it; 0: none.
struct RareBegin {
  uint64_t category = 0;
  uint64_t flow = 0;
};
/// Such a slice begins; `added` to each of the sequence's counters.
std::string rareBeginPacket(uint32_t sequence, uint64_t delta, uint64_t nameIid, RareBegin begin,
                            llvm::ArrayRef<uint64_t> added);

/// A moment of the category of what leads from one stack to another, at which this flow begins or
/// ends. It may be earlier than the packet before.
std::string flowPacket(uint32_t sequence, uint64_t nanoseconds, uint64_t nameIid, uint64_t flow,
                       bool isEnd);

/// The header of a packet that holds `compressedSize` bytes of a zlib stream, which must follow.
std::string compressedPacketHeader(uint64_t compressedSize);

} // namespace warpo::perfetto

#endif
