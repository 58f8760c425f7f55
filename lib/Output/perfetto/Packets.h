//===- Packets.h - Helpers for packets made by protobuf -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PERFETTO_PACKETS_H
#define WARPO_OUTPUT_PERFETTO_PACKETS_H

#include "perfetto/trace.pb.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace warpo::perfetto {

inline constexpr uint32_t bootTimeClock = 6;
// Clocks 64 to 127 are local to a sequence.
inline constexpr uint32_t ownClock = 64;
inline constexpr uint32_t stateCleared = 1;
/// Keeps tracks of equal names from being merged.
inline constexpr int32_t neverMerge = 2;

/// Strings of a protobuf message must be UTF-8; names in a mapping may be any bytes.
inline std::string utf8(llvm::StringRef name) {
  return llvm::json::isUTF8(name) ? name.str() : llvm::json::fixUTF8(name);
}

/// A packet with a time of the builtin clock, which does not advance the sequence's clock.
inline TracePacket &addPacket(Trace &trace, uint32_t sequence, uint64_t nanoseconds) {
  TracePacket &packet = *trace.add_packet();
  packet.set_trusted_packet_sequence_id(sequence);
  packet.set_timestamp_clock_id(bootTimeClock);
  packet.set_timestamp(nanoseconds);
  return packet;
}

/// A sequence's first packet after a restart: it clears the state and makes the sequence's clock
/// the default. `isFirst` if nothing of the sequence has been written yet.
inline TracePacketDefaults &addDefaults(Trace &trace, uint32_t sequence, bool isFirst) {
  TracePacket &packet = *trace.add_packet();
  packet.set_trusted_packet_sequence_id(sequence);
  packet.set_sequence_flags(stateCleared);
  if (isFirst)
    packet.set_first_packet_on_sequence(true);
  packet.mutable_trace_packet_defaults()->set_timestamp_clock_id(ownClock);
  return *packet.mutable_trace_packet_defaults();
}

/// Sets the sequence's clock; times of packets are differences to the previous packet.
inline void addClock(Trace &trace, uint32_t sequence, uint64_t nanoseconds) {
  ClockSnapshot &snapshot = *addPacket(trace, sequence, nanoseconds).mutable_clock_snapshot();
  ClockSnapshot::Clock &own = *snapshot.add_clocks();
  own.set_clock_id(ownClock);
  own.set_timestamp(nanoseconds);
  own.set_is_incremental(true);
  ClockSnapshot::Clock &boot = *snapshot.add_clocks();
  boot.set_clock_id(bootTimeClock);
  boot.set_timestamp(nanoseconds);
  snapshot.set_primary_trace_clock(bootTimeClock);
}

} // namespace warpo::perfetto

#endif
