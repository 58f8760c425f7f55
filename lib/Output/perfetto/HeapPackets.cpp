//===- HeapPackets.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapPackets.h"
#include "Packets.h"

using namespace llvm;

namespace warpo::perfetto {

// CounterDescriptor.Unit
static constexpr int32_t count = 2;
static constexpr int32_t sizeInBytes = 3;
// TrackEvent.Type
static constexpr int32_t instant = 3;
static constexpr int32_t counterValue = 4;

static TrackDescriptor &addTrack(Trace &trace, uint32_t sequence, uint64_t nanoseconds,
                                 uint64_t uuid, uint64_t processUuid, StringRef name) {
  TrackDescriptor &track = *addPacket(trace, sequence, nanoseconds).mutable_track_descriptor();
  track.set_uuid(uuid);
  track.set_name(utf8(name));
  track.set_parent_uuid(processUuid);
  track.set_sibling_merge_behavior(neverMerge);
  return track;
}

std::string counterPackets(const HeapCounter &counter, uint32_t sequence, uint64_t trackUuid,
                           uint64_t processUuid) {
  Trace trace;
  addTrack(trace, sequence, counter.values.front().first, trackUuid, processUuid, counter.name)
      .mutable_counter()
      ->set_unit(counter.unit == "bytes" ? sizeInBytes : count);
  for (auto [nanoseconds, amount] : counter.values) {
    TrackEvent &event = *addPacket(trace, sequence, nanoseconds).mutable_track_event();
    event.set_type(counterValue);
    event.set_track_uuid(trackUuid);
    event.set_counter_value(int64_t(amount));
  }
  return trace.SerializeAsString();
}

std::string growthTrackPacket(StringRef name, uint64_t nanoseconds, uint32_t sequence,
                              uint64_t trackUuid, uint64_t processUuid) {
  Trace trace;
  addTrack(trace, sequence, nanoseconds, trackUuid, processUuid, name);
  return trace.SerializeAsString();
}

std::string growthPacket(const HeapGrowth &growth, StringRef stackText, uint32_t sequence,
                         uint64_t trackUuid) {
  Trace trace;
  TrackEvent &event = *addPacket(trace, sequence, growth.nanoseconds).mutable_track_event();
  event.set_type(instant);
  event.set_track_uuid(trackUuid);
  event.set_name(utf8(growth.name()));
  DebugAnnotation &size = *event.add_debug_annotations();
  size.set_name(("size in " + growth.unit()).str());
  size.set_uint_value(growth.size);
  if (!stackText.empty()) {
    DebugAnnotation &stack = *event.add_debug_annotations();
    stack.set_name("stack");
    stack.set_string_value(utf8(stackText));
  }
  return trace.SerializeAsString();
}

} // namespace warpo::perfetto
