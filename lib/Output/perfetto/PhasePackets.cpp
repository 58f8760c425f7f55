//===- PhasePackets.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PhasePackets.h"
#include "EventPackets.h"
#include "Packets.h"

using namespace llvm;

namespace warpo::perfetto {

std::string phasePackets(const PhaseTrack &track, uint32_t sequence, uint64_t trackUuid,
                         uint64_t processUuid) {
  Trace trace;
  TrackDescriptor &descriptor =
      *addPacket(trace, sequence, track.phases.front().begin).mutable_track_descriptor();
  descriptor.set_uuid(trackUuid);
  descriptor.set_name(utf8(track.name));
  descriptor.set_parent_uuid(processUuid);
  descriptor.set_sibling_merge_behavior(neverMerge);
  for (const PhaseSlice &phase : track.phases) {
    TrackEvent &begin = *addPacket(trace, sequence, phase.begin).mutable_track_event();
    begin.set_type(sliceBegin);
    begin.set_track_uuid(trackUuid);
    begin.set_name(utf8(phase.name));
    if (!phase.unit.empty()) {
      DebugAnnotation &ticks = *begin.add_debug_annotations();
      ticks.set_name(utf8(phase.unit));
      ticks.set_uint_value(phase.ticks);
    }
    TrackEvent &end = *addPacket(trace, sequence, phase.end).mutable_track_event();
    end.set_type(sliceEnd);
    end.set_track_uuid(trackUuid);
  }
  return trace.SerializeAsString();
}

} // namespace warpo::perfetto
