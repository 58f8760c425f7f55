//===- HeapPackets.h - The tracks of heaps --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PERFETTO_HEAPPACKETS_H
#define WARPO_OUTPUT_PERFETTO_HEAPPACKETS_H

#include "../timeline/HeapTracks.h"
#include <string>

namespace warpo::perfetto {

/// A track of a counter, with its values. Packets have no state: nothing need come before them.
std::string counterPackets(const HeapCounter &counter, uint32_t sequence, uint64_t trackUuid,
                           uint64_t processUuid);

/// A track of moments: memories have one, and so have tables.
std::string growthTrackPacket(const HeapGrowth &first, uint32_t sequence, uint64_t trackUuid,
                              uint64_t processUuid);
std::string growthPacket(const HeapGrowth &growth, const FunctionTable &functions,
                         uint32_t sequence, uint64_t trackUuid);

} // namespace warpo::perfetto

#endif
