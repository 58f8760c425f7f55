//===- PhasePackets.h - The track of the host -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PERFETTO_PHASEPACKETS_H
#define WARPO_OUTPUT_PERFETTO_PHASEPACKETS_H

#include "../timeline/PhaseTracks.h"
#include <string>

namespace warpo::perfetto {

/// A track and its slices, with the ticks as an argument named after their unit. The packets need
/// no state from earlier ones.
std::string phasePackets(const PhaseTrack &track, uint32_t sequence, uint64_t trackUuid,
                         uint64_t processUuid);

} // namespace warpo::perfetto

#endif
