//===- OneStackTest.cpp - Calls of several modules on one stack -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A random run of one thread, whose calls go from module to module, is recorded in every way that
// modules are: entry by entry, or each module ahead of the others for a while. What is made of the
// record must be the run.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/OneStack.h"
#include "EventText.h"
#include "warpo/Record/ProbeSubtraction.h"
#include "warpo/Slice/EventWindow.h"
#include "warpo/Slice/OverlapFinder.h"
#include "warpo/Slice/Slicing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

struct Entry {
  uint64_t time;
  StreamIndex stream;
  /// 0: here so many entries are lost.
  int32_t id;
  uint64_t fuel = 0;
};

struct Piece {
  StreamIndex stream;
  RecordColumns columns;
};

void append(Piece &piece, const Entry &entry, bool hasFuel) {
  if (entry.id == 0) {
    auto position = uint32_t(piece.columns.ids.size());
    piece.columns.notes.push_back({position, NoteKind::lost, 3, "a place", LossCause::limit});
    return;
  }
  piece.columns.times.push_back(entry.time);
  piece.columns.ids.push_back(entry.id);
  if (hasFuel)
    piece.columns.counts[0].push_back(entry.fuel);
}

std::vector<Piece> inOrder(ArrayRef<Entry> entries, bool hasFuel = false) {
  std::vector<Piece> pieces;
  for (const Entry &entry : entries) {
    if (pieces.empty() || pieces.back().stream != entry.stream)
      pieces.push_back({entry.stream, {}});
    append(pieces.back(), entry, hasFuel);
  }
  return pieces;
}

/// Each stream fills a buffer of its own, which is written when it is full.
std::vector<Piece> buffered(ArrayRef<Entry> entries, size_t size) {
  std::vector<Piece> pieces, buffers;
  for (const Entry &entry : entries) {
    while (buffers.size() <= entry.stream)
      buffers.push_back({StreamIndex(buffers.size()), {}});
    Piece &buffer = buffers[entry.stream];
    append(buffer, entry, /*hasFuel=*/false);
    if (buffer.columns.ids.size() == size) {
      pieces.push_back(buffer);
      buffer.columns.clear();
    }
  }
  for (Piece &rest : reverse(buffers))
    if (!rest.columns.empty())
      pieces.push_back(rest);
  return pieces;
}

class PieceReader : public RecordSource {
public:
  explicit PieceReader(std::vector<Piece> pieces, std::vector<StreamInfo> streams = {})
      : pieces_(std::move(pieces)) {
    for (StreamInfo &stream : streams)
      addStream(std::move(stream));
  }
  Expected<bool> next(RecordBatch &batch) override {
    if (at_ == pieces_.size())
      return false;
    const Piece &piece = pieces_[at_++];
    while (header_.streams.size() <= piece.stream)
      addStream({header_.streams.size() + 1, ""});
    batch = piece.columns.batch(piece.stream);
    return true;
  }
  ProbeCost probe() const override { return {1024, 1024}; }
  std::string placeOf(size_t) const override { return "in"; }
  uint64_t bytesRead() const override { return at_; }
  std::optional<uint64_t> inputSize() const override { return pieces_.size(); }

private:
  std::vector<Piece> pieces_;
  size_t at_ = 0;
};

struct Outcome {
  std::string events;
  RepairCounts repairs;
  std::vector<std::string> damage;
};

Outcome slice(std::unique_ptr<RecordReader> reader, StringRef slicerName = "calls") {
  FunctionTable functions;
  functions.distinguishModules();
  EventText text(functions);
  auto slicer = cantFail(warpo::Registry<Slicer>::create(slicerName));
  DamageReport damage;
  auto result = cantFail(sliceRecord(*reader, functions, *slicer, text, damage,
                                     [](const RecordBatch &) { return Error::success(); }));
  return {text.text(), result.repairs, damage.messages()};
}

std::unique_ptr<RecordReader> oneStack(std::vector<Piece> pieces,
                                       std::vector<StreamInfo> streams = {}) {
  return std::make_unique<OneStack>(
      std::make_unique<PieceReader>(std::move(pieces), std::move(streams)), "in.rec");
}

/// A run of `calls` calls. Of its clock's ticks, `quickness` in a hundred entries take none.
std::vector<Entry> randomRun(std::mt19937 &random, size_t calls, unsigned streams,
                             unsigned quickness) {
  std::vector<Entry> entries;
  std::vector<std::pair<StreamIndex, int32_t>> open;
  uint64_t now = 100;
  while (calls > 0 || !open.empty()) {
    now += random() % 100 < quickness ? 0 : 1 + random() % 3;
    if (calls > 0 && (open.empty() || random() % 5 < 2)) {
      --calls;
      // The modules have the same ids, as instrumenting gives them.
      open.push_back({StreamIndex(random() % streams), int32_t(1 + random() % 3)});
      entries.push_back({now, open.back().first, open.back().second});
    } else {
      entries.push_back({now, open.back().first, -open.back().second});
      open.pop_back();
    }
  }
  return entries;
}

std::string textOf(ArrayRef<Entry> entries) {
  std::string text;
  raw_string_ostream os(text);
  for (const Entry &entry : entries)
    os << (text.empty() ? "" : " ") << entry.time << (entry.id > 0 ? "+" : "") << entry.id;
  return text;
}

void expectNoRepairs(const Outcome &outcome) {
  EXPECT_EQ(outcome.repairs.endsWithoutBegin, 0u);
  EXPECT_EQ(outcome.repairs.unwoundCalls, 0u);
  EXPECT_EQ(outcome.repairs.openCalls, 0u);
  EXPECT_TRUE(outcome.damage.empty());
}

TEST(OneStack, IsTheRunWhereTheRecordIsInOrder) {
  for (unsigned seed = 0; seed < 300 && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    auto run = randomRun(random, 30, 3, 50);
    Outcome outcome = slice(oneStack(inOrder(run)));
    EXPECT_EQ(outcome.events, textOf(run)) << seed;
    expectNoRepairs(outcome);
  }
}

TEST(OneStack, IsTheRunWhereNoTwoEntriesAreOfOneTime) {
  for (unsigned seed = 0; seed < 300 && !HasFailure(); ++seed)
    for (size_t size : {1, 3, 10, 1000}) {
      std::mt19937 random(seed);
      auto run = randomRun(random, 30, 3, 0);
      Outcome outcome = slice(oneStack(buffered(run, size)));
      EXPECT_EQ(outcome.events, textOf(run)) << seed;
      expectNoRepairs(outcome);
    }
}

// What was in fact the order of entries of one time, the record does not say; but they do nest.
TEST(OneStack, NestsWhateverIsOfOneTime) {
  for (unsigned seed = 0; seed < 2000 && !HasFailure(); ++seed)
    for (unsigned quickness : {30, 60, 90}) {
      std::mt19937 random(seed);
      auto run = randomRun(random, 40, 2 + seed % 3, quickness);
      for (size_t size : {4, 1000}) {
        SCOPED_TRACE(textOf(run));
        Outcome outcome = slice(oneStack(buffered(run, size)));
        expectNoRepairs(outcome);
        EXPECT_EQ(outcome.events.size(), textOf(run).size());
      }
    }
}

// More than a look ahead sees, than is kept in memory and than a batch has.
TEST(OneStack, TakesLongRuns) {
  for (unsigned quickness : {0, 50}) {
    std::mt19937 random(quickness);
    auto run = randomRun(random, 200'000, 3, quickness);
    Outcome outcome = slice(oneStack(quickness ? inOrder(run) : buffered(run, 1000)));
    EXPECT_TRUE(outcome.events == textOf(run));
    expectNoRepairs(outcome);
    if (quickness)
      expectNoRepairs(slice(oneStack(buffered(run, 1000))));
  }
}

struct Case {
  const char *name;
  std::vector<Entry> entries;
  std::string events;
};

TEST(OneStack, OrdersEntriesOfOneTime) {
  // Each is read stream by stream, so that the order of the record says nothing.
  const Case cases[] = {
      {"who ends later has begun first",
       {{0, 0, 1}, {9, 0, -1}, {0, 1, 2}, {20, 1, -2}},
       "0+2 0+1 9-1 20-2"},
      {"who began last ends first",
       {{0, 0, 1}, {9, 0, -1}, {5, 1, 2}, {9, 1, -2}},
       "0+1 5+2 9-2 9-1"},
      {"a call ends before the next begins",
       {{0, 0, 1}, {9, 0, -1}, {9, 1, 2}, {20, 1, -2}},
       "0+1 9-1 9+2 20-2"},
      {"a call without a duration lies within",
       {{0, 0, 1}, {9, 0, -1}, {0, 1, 2}, {0, 1, -2}, {9, 1, 3}, {9, 1, -3}},
       "0+1 0+2 0-2 9+3 9-3 9-1"},
      {"but not if a longer one follows it",
       {{0, 0, 1}, {9, 0, -1}, {0, 1, 2}, {0, 1, -2}, {0, 1, 3}, {20, 1, -3}},
       "0+2 0-2 0+3 0+1 9-1 20-3"},
      {"a call that does not end is the longest",
       {{0, 0, 1}, {9, 0, -1}, {0, 1, 2}},
       "0+2 0+1 9-1 9-2o"},
      {"what does not nest is damage",
       {{0, 0, 1}, {9, 0, -1}, {5, 1, 2}, {20, 1, -2}},
       "0+1 5+2 9-2u 9-1 {9..20 of 2}"},
  };
  for (const Case &test : cases)
    EXPECT_EQ(slice(oneStack(buffered(test.entries, 1000))).events, test.events) << test.name;
}

// What a trap says is of the next entry of its stream, whatever others have at that time.
TEST(OneStack, TrapsEndCallsOfAllModulesAboveTheirOwn) {
  const Case cases[] = {
      {"above a call of another module",
       {{0, 0, 1}, {2, 1, 2}, {3, 0, 3}, {5, 1, trapId}, {5, 1, -2}, {9, 0, -1}},
       "0+1 2+2 3+3 3-3t 3-2t 9-1"},
      {"twice: the outermost of its module's",
       {{0, 0, 1},
        {1, 1, 1},
        {2, 0, 4},
        {3, 1, 1},
        {5, 1, trapId},
        {5, 1, trapId},
        {5, 1, -1},
        {9, 0, -1}},
       "0+1 1+1 2+4 3+1 3-1t 3-4t 3-1t 9-1"},
      {"another module's call that ends at that time",
       {{0, 0, 1}, {2, 1, 2}, {5, 1, trapId}, {5, 1, -2}, {5, 0, -1}},
       "0+1 2+2 2-2t 5-1"},
      {"another module's call that begins at that time",
       {{0, 0, 1}, {2, 1, 2}, {5, 1, trapId}, {5, 1, -2}, {5, 0, 3}, {9, 0, -3}, {9, 0, -1}},
       "0+1 2+2 2-2t 5+3 9-3 9-1"},
  };
  for (const Case &test : cases)
    for (bool isOrdered : {true, false}) {
      auto pieces = isOrdered ? inOrder(test.entries) : buffered(test.entries, 1000);
      Outcome outcome = slice(oneStack(std::move(pieces)));
      EXPECT_EQ(outcome.events, test.events) << test.name << (isOrdered ? ", in order" : "");
      EXPECT_EQ(outcome.repairs.strayTraps, 0u) << test.name;
    }
}

// Where the record says the order, that is it, though a trap takes calls of several modules.
TEST(OneStack, TrapsAtTheTimeOfAnotherCall) {
  std::vector<Entry> taken = {{0, 0, 1},  {2, 1, 2}, {3, 0, 3},  {5, 1, trapId},
                              {5, 1, -2}, {5, 0, 4}, {5, 0, -4}, {9, 0, -1}};
  EXPECT_EQ(slice(oneStack(inOrder(taken))).events, "0+1 2+2 3+3 3-3t 3-2t 5+4 5-4 9-1");
  std::vector<Entry> within = {{0, 0, 1}, {5, 0, 3},      {5, 0, -3}, {9, 0, -1},
                               {2, 1, 2}, {5, 1, trapId}, {5, 1, -2}};
  Outcome outcome = slice(oneStack(buffered(within, 1000)));
  EXPECT_EQ(outcome.events, "0+1 2+2 5+3 5-3 5-2t 9-1");
  expectNoRepairs(outcome);
}

TEST(OneStack, TellsWhereDamageIs) {
  auto outcome = slice(oneStack(inOrder({{0, 0, 1}, {5, 1, 1}, {9, 0, -1}, {20, 1, -1}})));
  // Though both functions have one id.
  EXPECT_EQ(outcome.events, "0+1 5+1 9-1u 9-1 {9..20 of 1}");
  EXPECT_EQ(join(outcome.damage, "\n"), "in.rec: module 2, time 20: 1 end without a begin");
}

TEST(OneStack, KeepsLossesBeforeTheNextEntryOfTheirStream) {
  auto outcome = slice(oneStack(
      inOrder({{0, 0, 1}, {2, 1, 2}, {3, 1, -2}, {3, 1, 0}, {5, 0, 3}, {7, 1, 2}, {8, 1, -2}})));
  EXPECT_EQ(outcome.events, "0+1 2+2 3-2 5+3 {5..7 x3} 7+2 8-2 8-3o 8-1o");
  ASSERT_EQ(outcome.damage.size(), 1u);
  EXPECT_EQ(outcome.damage.front(),
            "a place: 3 events not recorded, as the limit was reached (the first is here)");
}

TEST(OneStack, IsOfAThread) {
  std::vector<Entry> run = {{0, 0, 1}, {1, 1, 2}, {2, 2, 3}, {3, 0, -1}, {4, 1, -2}, {5, 2, -3}};
  std::vector<StreamInfo> streams = {{1, "", 7}, {1, "", 8}, {2, "", 9}};
  Outcome outcome = slice(oneStack(inOrder(run), streams));
  EXPECT_EQ(outcome.events, "0+1 1+2 2+3 3-1 4-2 5-3");
  expectNoRepairs(outcome);
}

TEST(OneStack, IsWhatSlicersSee) {
  auto run = inOrder({{0, 0, 1}, {5, 1, 1}, {9, 1, -1}, {20, 0, -1}});
  EXPECT_EQ(slice(oneStack(run), "host-calls").events, "0+1 20-1");
}

// What recording an inner call took, the outer one need not have taken.
TEST(OneStack, IsWhatProbesAreTakenFrom) {
  auto run = oneStack(inOrder({{0, 0, 1}, {5, 1, 1}, {9, 1, -1}, {20, 0, -1}}));
  RecordingEffects range{ProbeRange::of(run->probe(), LeafCalls())};
  EXPECT_EQ(slice(std::make_unique<ProbeSubtraction>(std::move(run), range)).events,
            "0+1 4+1 7-1 17-1");
}

/// Keeps what events say of fuel.
class FuelSink : public CallSink {
public:
  Error events(const EventBatch &batch) override {
    append_range(fuel, batch.counts[0]);
    return Error::success();
  }
  Error finish() override { return Error::success(); }
  std::vector<uint64_t> fuel;
};

std::vector<uint64_t> fuelOf(std::vector<Piece> pieces) {
  auto reader = oneStack(std::move(pieces));
  FunctionTable functions;
  FuelSink sink;
  DamageReport damage;
  auto slicer = cantFail(warpo::Registry<Slicer>::create("calls"));
  cantFail(sliceRecord(*reader, functions, *slicer, sink, damage,
                       [](const RecordBatch &) { return Error::success(); }));
  return sink.fuel;
}

TEST(OneStack, AddsUpFuel) {
  // What a stream had burnt before its first entry is nobody's.
  EXPECT_EQ(fuelOf(inOrder({{0, 0, 1, 100}, {5, 1, 1, 7000}, {9, 1, -1, 7010}, {20, 0, -1, 105}},
                           /*hasFuel=*/true)),
            (std::vector<uint64_t>{100, 100, 110, 115}));
}

// What a batch says nothing of has not changed; what none before it did is nobody's.
TEST(OneStack, KeepsFuelThatABatchLacks) {
  std::vector<Piece> pieces;
  for (const Entry &entry : {Entry{0, 0, 1}, Entry{5, 0, 2, 1000}, Entry{9, 0, -2},
                             Entry{15, 0, 3, 1010}, Entry{20, 0, -3}, Entry{25, 0, -1, 1015}}) {
    pieces.push_back({0, {}});
    append(pieces.back(), entry, /*hasFuel=*/entry.fuel > 0);
  }
  EXPECT_EQ(fuelOf(pieces), (std::vector<uint64_t>{1000, 1000, 1000, 1010, 1010, 1015}));
}

std::string overlapOf(std::vector<Piece> pieces, std::vector<StreamInfo> streams = {}) {
  PieceReader reader(std::move(pieces), std::move(streams));
  FunctionTable functions;
  EventText text(functions);
  OverlapFinder finder(reader.header());
  DamageReport damage;
  auto slicer = cantFail(warpo::Registry<Slicer>::create("calls"));
  cantFail(sliceRecord(reader, functions, *slicer, text, damage,
                       [](const RecordBatch &) { return Error::success(); },
                       {.overlaps = &finder}));
  auto overlap = finder.overlap();
  return overlap ? std::to_string(overlap->first) + " and " + std::to_string(overlap->second)
                 : "none";
}

TEST(OverlapFinder, FindsCallsThatOverlap) {
  const Case cases[] = {
      {"one within another", {{0, 0, 1}, {5, 1, 2}, {9, 1, -2}, {20, 0, -1}}, "0 and 1"},
      {"one after another",
       {{0, 0, 1}, {5, 0, -1}, {5, 1, 2}, {9, 1, -2}, {20, 0, 1}, {21, 0, -1}},
       "none"},
      {"in a gap", {{0, 0, 1}, {5, 0, -1}, {20, 0, 1}, {21, 0, -1}, {6, 1, 2}, {9, 1, -2}}, "none"},
      {"one without an end, as of a trap", {{0, 0, 1}, {5, 1, 2}, {9, 1, -2}}, "none"},
      {"deep calls are no calls of the host",
       {{0, 0, 1}, {1, 0, 2}, {2, 0, -2}, {3, 0, -1}, {3, 1, 2}, {9, 1, -2}},
       "none"},
  };
  for (const Case &test : cases)
    for (size_t size : {1, 1000})
      EXPECT_EQ(overlapOf(buffered(test.entries, size)), test.events) << test.name;
}

// As long as a thread has one stream, no more than its first events are looked at.
TEST(OverlapFinder, FindsAnOverlapLateInTheRecord) {
  for (bool overlaps : {false, true}) {
    std::vector<Entry> run = {{0, 0, 1}};
    for (uint64_t i = 1; i < 100'000; ++i)
      run.insert(run.end(), {{2 * i, 0, 2}, {2 * i + 1, 0, -2}});
    if (!overlaps)
      run.push_back({200'000, 0, -1});
    uint64_t now = 200'001;
    for (int i = 0; i < 1000; ++i)
      for (const Entry &entry : {Entry{0, 1, 1}, {0, 1, -1}, {0, 0, 3}, {0, 0, -3}})
        run.push_back({now++, entry.stream, entry.id});
    if (overlaps)
      run.push_back({now, 0, -1});
    EXPECT_EQ(overlapOf(buffered(run, 1000)), overlaps ? "0 and 1" : "none");
  }
}

TEST(OverlapFinder, KnowsThreadsAndTheHost) {
  auto run = inOrder({{0, 0, 1}, {5, 1, 2}, {9, 1, -2}, {20, 0, -1}});
  EXPECT_EQ(overlapOf(run, {{1, "", 7}, {1, "", 7}}), "0 and 1");
  EXPECT_EQ(overlapOf(run, {{1, "", 7}, {1, "", 8}}), "none");
}

// Of runs of one thread: the naive answer is whether two modules are ever open at once.
TEST(OverlapFinder, AgreesWithRandomRuns) {
  for (unsigned seed = 0; seed < 500 && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    auto run = randomRun(random, 2 + seed % 5, 2, 0);
    size_t open[2] = {};
    bool overlaps = false;
    for (const Entry &entry : run) {
      open[entry.stream] += entry.id > 0 ? size_t(1) : SIZE_MAX;
      overlaps |= open[0] > 0 && open[1] > 0;
    }
    for (size_t size : {1, 3, 1000})
      EXPECT_EQ(overlapOf(buffered(run, size)) != "none", overlaps) << textOf(run);
  }
}

} // namespace
