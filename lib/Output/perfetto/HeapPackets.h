//===- HeapPackets.h - Tracks of counters and moments ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PERFETTO_HEAPPACKETS_H
#define WARPO_OUTPUT_PERFETTO_HEAPPACKETS_H

#include "../timeline/HeapTracks.h"
#include <optional>
#include <string>

namespace warpo::perfetto {

/// A track of a counter, with its values. Packets have no state: nothing need come before them.
std::string counterPackets(const HeapCounter &counter, uint32_t sequence, uint64_t trackUuid,
                           uint64_t processUuid);

/// A track of moments, the first of them at `nanoseconds`.
std::string momentTrackPacket(llvm::StringRef name, uint64_t nanoseconds, uint32_t sequence,
                              uint64_t trackUuid, uint64_t processUuid);
struct Moment {
  uint64_t nanoseconds;
  llvm::StringRef name;
  /// What is said of it: an amount, and the stack.
  std::optional<std::pair<std::string, uint64_t>> amount = {};
  std::string stack = {};
};
std::string momentPacket(const Moment &moment, uint32_t sequence, uint64_t trackUuid);

} // namespace warpo::perfetto

#endif
