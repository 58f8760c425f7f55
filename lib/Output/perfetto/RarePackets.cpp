//===- RarePackets.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RarePackets.h"
#include "EventPackets.h"
#include "Packets.h"

using namespace llvm;

namespace warpo::perfetto {

static std::string bytesOf(const Trace &trace) { return trace.SerializeAsString(); }

std::string processPacket(uint32_t sequence, uint64_t nanoseconds, uint64_t uuid, uint32_t number,
                          StringRef name) {
  Trace trace;
  TrackDescriptor &track = *addPacket(trace, sequence, nanoseconds).mutable_track_descriptor();
  track.set_uuid(uuid);
  track.mutable_process()->set_pid(int32_t(number));
  track.mutable_process()->set_process_name(utf8(name));
  return bytesOf(trace);
}

std::string sequenceStartPackets(const SequenceStart &start) {
  Trace trace;
  TrackEventDefaults &events =
      *addDefaults(trace, start.sequence, start.isFirst).mutable_track_event_defaults();
  events.set_track_uuid(start.trackUuid);
  for (const SequenceStart::Counter &counter : start.counters)
    events.add_extra_counter_track_uuids(counter.uuid);

  addClock(trace, start.sequence, start.nanoseconds);

  TrackDescriptor &track =
      *addPacket(trace, start.sequence, start.nanoseconds).mutable_track_descriptor();
  track.set_uuid(start.trackUuid);
  track.set_name(utf8(start.trackName));
  track.set_parent_uuid(start.processUuid);
  track.set_sibling_merge_behavior(neverMerge);

  for (const SequenceStart::Counter &counter : start.counters) {
    TrackDescriptor &values =
        *addPacket(trace, start.sequence, start.nanoseconds).mutable_track_descriptor();
    values.set_uuid(counter.uuid);
    values.set_name(utf8(counter.name));
    values.set_parent_uuid(start.processUuid);
    values.set_sibling_merge_behavior(neverMerge);
    values.mutable_counter()->set_unit_name(utf8(counter.unit));
    values.mutable_counter()->set_is_incremental(true);
  }

  TracePacket &categories = *trace.add_packet();
  categories.set_trusted_packet_sequence_id(start.sequence);
  for (auto [number, name] : {std::pair(lostCategory, "lost"),
                              {suspendedCategory, "suspended"},
                              {asyncCategory, "async"}}) {
    Name &category = *categories.mutable_interned_data()->add_event_categories();
    category.set_iid(number);
    category.set_name(name);
  }
  return bytesOf(trace);
}

std::string lostTextPacket(uint32_t sequence, uint64_t textIid, StringRef name) {
  Trace trace;
  TracePacket &packet = *trace.add_packet();
  packet.set_trusted_packet_sequence_id(sequence);
  Name &value = *packet.mutable_interned_data()->add_debug_annotation_string_values();
  value.set_iid(textIid);
  value.set_name(utf8(name));
  return bytesOf(trace);
}

std::string placePacket(uint32_t sequence, uint64_t placeIid, StringRef file, uint32_t line) {
  Trace trace;
  TracePacket &packet = *trace.add_packet();
  packet.set_trusted_packet_sequence_id(sequence);
  SourceLocation &place = *packet.mutable_interned_data()->add_source_locations();
  place.set_iid(placeIid);
  place.set_file_name(utf8(file));
  if (line > 0)
    place.set_line_number(line);
  return bytesOf(trace);
}

/// Adds the event of a slice's begin to the last packet of the trace. Category 0: none.
static TrackEvent &addBegin(Trace &trace, uint32_t sequence, uint64_t delta, uint64_t nameIid,
                            uint64_t category) {
  TracePacket &packet = *trace.add_packet();
  packet.set_trusted_packet_sequence_id(sequence);
  packet.set_timestamp(delta);
  TrackEvent &event = *packet.mutable_track_event();
  event.set_type(sliceBegin);
  event.set_name_iid(nameIid);
  if (category != 0)
    event.add_category_iids(category);
  return event;
}

std::string rareBeginPacket(uint32_t sequence, uint64_t delta, uint64_t nameIid, RareBegin begin,
                            ArrayRef<uint64_t> added) {
  Trace trace;
  TrackEvent &event = addBegin(trace, sequence, delta, nameIid, begin.category);
  if (begin.flow != 0)
    event.add_terminating_flow_ids(begin.flow);
  for (uint64_t count : added)
    event.add_extra_counter_values(int64_t(count));
  return bytesOf(trace);
}

std::string flowPacket(uint32_t sequence, uint64_t nanoseconds, uint64_t nameIid, uint64_t flow,
                       bool isEnd) {
  constexpr int32_t instant = 3;
  Trace trace;
  TrackEvent &event = *addPacket(trace, sequence, nanoseconds).mutable_track_event();
  event.set_type(instant);
  event.set_name_iid(nameIid);
  event.add_category_iids(asyncCategory);
  if (isEnd)
    event.add_terminating_flow_ids(flow);
  else
    event.add_flow_ids(flow);
  return bytesOf(trace);
}

std::string lostBeginPacket(uint32_t sequence, uint64_t delta, uint64_t nameIid, uint64_t entries,
                            uint64_t functionIid) {
  Trace trace;
  TrackEvent &event = addBegin(trace, sequence, delta, nameIid, lostCategory);
  if (entries > 0) {
    DebugAnnotation &annotation = *event.add_debug_annotations();
    annotation.set_name("lost entries");
    annotation.set_uint_value(entries);
  }
  if (functionIid > 0) {
    DebugAnnotation &annotation = *event.add_debug_annotations();
    annotation.set_name("end without a begin");
    annotation.set_string_value_iid(functionIid);
  }
  return bytesOf(trace);
}

std::string compressedPacketHeader(uint64_t compressedSize) {
  constexpr unsigned compressedPackets = TracePacket::kCompressedPacketsFieldNumber << 3 | 2;
  uint8_t field[2 * maxVarint];
  uint8_t *fieldEnd = writeVarint(writeVarint(field, compressedPackets), compressedSize);
  uint8_t packet[1 + maxVarint];
  packet[0] = packetTag;
  uint8_t *packetEnd = writeVarint(packet + 1, uint64_t(fieldEnd - field) + compressedSize);
  return std::string(packet, packetEnd) + std::string(field, fieldEnd);
}

} // namespace warpo::perfetto
