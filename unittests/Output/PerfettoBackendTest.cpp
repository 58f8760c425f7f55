//===- PerfettoBackendTest.cpp --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What is packed by hand, against protobuf's own reading and writing of it.
//
//===----------------------------------------------------------------------===//

#include "perfetto/EventPackets.h"
#include "perfetto/PacketStream.h"
#include "perfetto/SampleSequence.h"
#include "perfetto/trace.pb.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Record/FunctionTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace llvm;
using namespace warpo;
using namespace warpo::perfetto;

namespace {

TEST(EventPacketsTest, equalsWhatProtobufWrites) {
  const uint64_t deltas[] = {0, 1, 127, 128, 16383, 16384, 1u << 28, UINT64_MAX};
  const uint32_t sequences[] = {1, 127, 128, 70000, UINT32_MAX};
  const uint32_t names[] = {1, 127, 128, 16383, 16384, UINT32_MAX};
  for (uint32_t sequence : sequences)
    for (uint64_t delta : deltas)
      for (uint32_t name : names)
        for (bool begins : {true, false}) {
          perfetto::Trace trace;
          TracePacket &packet = *trace.add_packet();
          packet.set_timestamp(delta);
          packet.set_trusted_packet_sequence_id(sequence);
          packet.mutable_track_event()->set_type(begins ? sliceBegin : sliceEnd);
          if (begins)
            packet.mutable_track_event()->set_name_iid(name);

          uint8_t bytes[EventPackets::maxPacket];
          uint8_t *end = EventPackets(sequence).write(bytes, begins, delta, name);
          EXPECT_EQ(std::string(bytes, end), trace.SerializeAsString())
              << "sequence " << sequence << ", delta " << delta << ", name " << name;

          packet.mutable_track_event()->add_extra_counter_values(int64_t(delta >> 1));
          end =
              EventPackets(sequence).writeMore(bytes, begins, delta, name, ArrayRef(delta >> 1), 0);
          EXPECT_LE(end, bytes + sizeof(bytes));
          EXPECT_EQ(std::string(bytes, end), trace.SerializeAsString())
              << "sequence " << sequence << ", delta " << delta << ", name " << name;
        }
}

TEST(EventPacketsTest, namesEqualWhatProtobufWrites) {
  for (uint32_t sequence : {1u, 128u, UINT32_MAX})
    for (uint32_t number : {1u, 127u, 128u, 16384u, UINT32_MAX})
      for (size_t size : {0, 1, 100, 115, 118, 119, 120, 127, 128, 16300, 16383, 16384, 100000}) {
        std::string text(size, 'n');
        perfetto::Trace trace;
        TracePacket &packet = *trace.add_packet();
        packet.set_trusted_packet_sequence_id(sequence);
        Name &name = *packet.mutable_interned_data()->add_event_names();
        name.set_iid(number);
        name.set_name(text);

        std::vector<uint8_t> bytes(EventPackets::namePacketSize(text));
        uint8_t *end = EventPackets(sequence).writeName(bytes.data(), number, text);
        EXPECT_EQ(std::string(bytes.data(), end), trace.SerializeAsString())
            << "sequence " << sequence << ", name " << number << ", size " << size;
      }
}

/// A call as the trace shows it.
struct Shown {
  uint32_t sequence;
  std::string name;
  uint64_t time;
  bool begins;
  /// What the sequence's counter stands at; 0 without one.
  uint64_t fuel;
  bool operator==(const Shown &) const = default;
};

void PrintTo(const Shown &shown, std::ostream *os) {
  *os << (shown.begins ? "begin " : "end ") << shown.name << " at " << shown.time << " of "
      << shown.sequence << ", fuel " << shown.fuel;
}

/// Reads a trace as the format prescribes: state for each sequence, times as differences.
std::vector<Shown> readTrace(const std::string &bytes) {
  struct State {
    uint64_t time = 0;
    uint64_t fuel = 0;
    bool hasCounter = false;
    std::map<uint64_t, std::string> names;
    std::vector<std::string> open;
  };
  perfetto::Trace trace;
  EXPECT_TRUE(trace.ParseFromString(bytes));
  std::map<uint32_t, State> states;
  std::vector<Shown> result;
  for (const TracePacket &packet : trace.packet()) {
    State &state = states[packet.trusted_packet_sequence_id()];
    if (packet.sequence_flags() & 1) {
      const auto &defaults = packet.trace_packet_defaults().track_event_defaults();
      state.hasCounter = defaults.extra_counter_track_uuids_size() == 1;
      state.fuel = 0;
      state.names.clear();
    }
    for (const auto &clock : packet.clock_snapshot().clocks())
      state.time = clock.timestamp();
    for (const Name &name : packet.interned_data().event_names())
      state.names[name.iid()] = name.name();
    if (!packet.has_track_event())
      continue;
    state.time += packet.timestamp();
    EXPECT_EQ(packet.track_event().extra_counter_values_size(), state.hasCounter);
    for (int64_t added : packet.track_event().extra_counter_values())
      state.fuel += uint64_t(added);
    bool begins = packet.track_event().type() == sliceBegin;
    if (begins) {
      EXPECT_TRUE(state.names.count(packet.track_event().name_iid()));
      state.open.push_back(state.names[packet.track_event().name_iid()]);
    }
    result.push_back(
        {packet.trusted_packet_sequence_id(), state.open.back(), state.time, begins, state.fuel});
    if (!begins)
      state.open.pop_back();
  }
  return result;
}

class PerfettoBackendTest : public testing::Test {
protected:
  /// Batches are of the two streams by turns; `fuel`, if any, is of each batch's events.
  std::string write(ArrayRef<std::vector<Event>> batches, TimelineOptions options,
                    TimeScale scale = TimeScale(), ArrayRef<std::vector<uint64_t>> fuel = {}) {
    std::string bytes;
    raw_string_ostream os(bytes);
    auto backend = cantFail(warpo::Registry<TimelineBackend>::create("perfetto"));
    TimelineInfo info{.header = header_, .functions = functions_, .scale = scale, .title = "test"};
    cantFail(backend->begin(info, options, os));
    for (size_t i = 0; i < batches.size(); ++i)
      cantFail(backend->events({StreamIndex(i % 2),
                                batches[i],
                                {},
                                fuel.empty() ? CountColumns() : CountColumns(fuel[i])}));
    cantFail(backend->finish());
    return os.str();
  }

  RecordHeader header_ = [] {
    RecordHeader header;
    header.streams = {{1, ""}, {2, "b"}};
    header.measures.push_back({.name = "fuel", .unit = "fuel"});
    return header;
  }();
  FunctionTable functions_;
};

TEST_F(PerfettoBackendTest, showsWhatItWasGivenWhereverTheStateIsRestarted) {
  std::mt19937 random(7);
  std::vector<FunctionIndex> known;
  for (int32_t id = 1; id <= 3000; ++id)
    known.push_back(functions_.idsOf(1).find(id));
  std::vector<std::vector<Event>> batches;
  std::vector<std::vector<uint64_t>> batchFuel;
  std::vector<Shown> expected;
  std::vector<FunctionIndex> stacks[2];
  uint64_t times[2] = {1000, 5};
  uint64_t burnt = 0;
  for (unsigned i = 0; i < 40; ++i) {
    unsigned stream = i % 2;
    auto &stack = stacks[stream];
    std::vector<Event> events;
    std::vector<uint64_t> fuel;
    for (unsigned n = random() % 200; n > 0; --n) {
      // Of the second stream, and there from some batch on.
      if (stream == 1 && i > 10)
        fuel.push_back(burnt += random() % 3 ? random() % 500 : uint64_t(random()) << 8);
      times[stream] += random() % 3 ? random() % 300 : random();
      bool begins = stack.empty() || (stack.size() < 400 && random() % 2);
      FunctionIndex function = begins ? known[random() % known.size()] : stack.back();
      events.push_back(
          {times[stream], function, begins ? EventKind::begin : EventKind::endReturned});
      expected.push_back({stream + 1, functions_[function].name.str(), 2 * times[stream] / 5,
                          begins, fuel.empty() ? 0 : fuel.back()});
      begins ? stack.push_back(function) : stack.pop_back();
    }
    batches.push_back(std::move(events));
    batchFuel.push_back(std::move(fuel));
  }
  for (uint64_t chunk : {0, 1, 2, 7, 100000})
    EXPECT_EQ(readTrace(write(batches, {.compress = false, .chunkEvents = chunk}, TimeScale(2, 5),
                              batchFuel)),
              expected)
        << "chunks of " << chunk;
}

/// The sizes of what compressed packets hold, after which nothing is missing.
std::vector<size_t> sizesOfShares(ArrayRef<size_t> packets) {
  std::string bytes, all, joined;
  raw_string_ostream os(bytes);
  PacketStream stream(os, /*compress=*/true);
  for (size_t size : packets) {
    perfetto::Trace one;
    one.add_packet()->mutable_interned_data()->add_event_names()->set_name(std::string(size, 'n'));
    stream.append(one.SerializeAsString());
    all += one.SerializeAsString();
  }
  cantFail(stream.flush());
  perfetto::Trace trace;
  EXPECT_TRUE(trace.ParseFromString(bytes));
  std::vector<size_t> sizes;
  for (const TracePacket &packet : trace.packet()) {
    SmallVector<uint8_t, 0> share;
    const std::string &deflated = packet.compressed_packets();
    cantFail(compression::zlib::decompress(arrayRefFromStringRef(deflated), share, all.size()));
    sizes.push_back(share.size() / 1000);
    joined += toStringRef(share);
  }
  EXPECT_EQ(joined, all);
  return sizes;
}

// A batch of events may name many functions for the first time. A packet cannot be divided.
TEST(PacketStreamTest, compressesLessThan512KiBAtOnce) {
  EXPECT_EQ(sizesOfShares({}), std::vector<size_t>());
  EXPECT_EQ(sizesOfShares({1000, 400'000}), (std::vector<size_t>{401}));
  EXPECT_EQ(sizesOfShares({1000, 400'000, 200'000, 300'000, 300'000}),
            (std::vector<size_t>{401, 500, 300}));
  EXPECT_EQ(sizesOfShares({1000, 600'000, 1000}), (std::vector<size_t>{1, 600, 1}));
}

TEST_F(PerfettoBackendTest, compressesEveryPacket) {
  FunctionIndex function = functions_.idsOf(1).find(1);
  std::vector<Event> events;
  for (unsigned i = 0; i < 100000; ++i)
    events.push_back({i, function, i % 2 ? EventKind::endReturned : EventKind::begin});
  perfetto::Trace trace;
  ASSERT_TRUE(
      trace.ParseFromString(write({events, {}, events}, {.compress = true, .chunkEvents = 0})));
  ASSERT_GE(trace.packet_size(), 2);
  for (const TracePacket &packet : trace.packet())
    EXPECT_TRUE(packet.has_compressed_packets());
}

} // namespace
