//===- HeapPackets.h - Tracks of a heap: its counters and its growth ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PERFETTO_HEAPPACKETS_H
#define WARPO_OUTPUT_PERFETTO_HEAPPACKETS_H

#include "../timeline/HeapTracks.h"
#include <string>

namespace warpo::perfetto {

/// A track of a counter and its values. The packets need no state from earlier ones.
std::string counterPackets(const HeapCounter &counter, uint32_t sequence, uint64_t trackUuid,
                           uint64_t processUuid);

/// A track of growth events, the first of them at `nanoseconds`.
std::string growthTrackPacket(llvm::StringRef name, uint64_t nanoseconds, uint32_t sequence,
                              uint64_t trackUuid, uint64_t processUuid);
/// `stack` is text; empty: none.
std::string growthPacket(const HeapGrowth &growth, llvm::StringRef stack, uint32_t sequence,
                         uint64_t trackUuid);

} // namespace warpo::perfetto

#endif
