//===- HeapAnalysisTest.cpp - Who holds the memory, against a plain model -===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/HeapAnalysis.h"
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace llvm;
using namespace warpo;

namespace {

using enum HeapOperation;

HeapEvent allocated(uint64_t time, uint64_t address, uint64_t size, uint32_t stack = 1) {
  return {.time = time, .address = address, .size = size, .stack = stack};
}
HeapEvent freed(uint64_t time, uint64_t address, uint32_t stack = 0) {
  return {.time = time, .address = address, .stack = stack, .operation = HeapOperation::free};
}
HeapEvent reallocated(uint64_t time, uint64_t from, uint64_t to, uint64_t size, uint32_t stack) {
  return {.time = time,
          .address = to,
          .size = size,
          .oldAddress = from,
          .stack = stack,
          .operation = reallocate};
}
HeapEvent grown(uint64_t time, uint64_t size, uint32_t stack = 1, uint32_t memory = 0) {
  return {.time = time, .size = size, .stack = stack, .memory = memory, .operation = grow};
}

HeapAnalysis analysed(ArrayRef<HeapEvent> events, const HeapAnalysis::Options &options = {},
                      uint64_t end = 0) {
  HeapAnalysis analysis(options);
  analysis.add(0, 0, events);
  analysis.finish(end);
  return analysis;
}

/// All live objects, and every sum made anew for each moment.
class Model {
public:
  struct Object {
    uint32_t stack;
    uint64_t size, time;
    uint64_t number;
  };
  struct Sums {
    uint64_t objects = 0, bytes = 0;
    auto operator<=>(const Sums &) const = default;
  };
  using ByStack = std::map<uint32_t, Sums>;

  explicit Model(uint64_t at) : at_(at) {}

  void add(uint32_t stream, const HeapEvent &event) {
    if (event.time > at_ && !isPast_) {
      atTime = live();
      isPast_ = true;
    }
    if (event.operation == HeapOperation::free) {
      if (auto last = last_.find(stream); last != last_.end())
        if (auto object = objects.find({event.memory, event.address});
            object != objects.end() && object->second.number == last->second)
          ++temporary;
      objects.erase({event.memory, event.address});
    }
    last_.erase(stream);
    if (event.operation == reallocate)
      objects.erase({event.memory, event.oldAddress});
    if (event.operation == allocate || event.operation == reallocate) {
      objects[{event.memory, event.address}] = {event.stack, event.size, event.time, ++number_};
      all[event.stack].objects += 1;
      all[event.stack].bytes += event.size;
      last_[stream] = number_;
    }
    uint64_t bytes = 0;
    for (const auto &[place, object] : objects)
      bytes += object.size;
    if (bytes > peakBytes) {
      peakBytes = bytes;
      peakTime = event.time;
      atPeak = live();
    }
  }
  void finish() {
    if (!isPast_)
      atTime = live();
  }
  ByStack live() const {
    ByStack sums;
    for (const auto &[place, object] : objects) {
      sums[object.stack].objects += 1;
      sums[object.stack].bytes += object.size;
    }
    return sums;
  }

  std::map<std::pair<uint32_t, uint64_t>, Object> objects;
  ByStack all, atPeak, atTime;
  uint64_t temporary = 0;
  uint64_t peakBytes = 0, peakTime = 0;

private:
  uint64_t at_;
  bool isPast_ = false;
  uint64_t number_ = 0;
  std::map<uint32_t, uint64_t> last_;
};

void expectSums(const HeapAmount &ours, const Model::ByStack &theirs, uint32_t stack) {
  auto found = theirs.find(stack);
  Model::Sums sums = found == theirs.end() ? Model::Sums() : found->second;
  EXPECT_EQ(ours.objects(), sums.objects) << stack;
  EXPECT_EQ(ours.parts, sums.objects * HeapAmount::partsOfObject) << stack;
  EXPECT_EQ(ours.bytes, sums.bytes) << stack;
}

TEST(HeapAnalysis, AgreesWithAModel) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    uint64_t at = random() % 1500;
    HeapAnalysis analysis({.at = at});
    Model model(at);
    uint64_t time = 0;
    // Phases of growth and of decline, so that there are many peaks.
    for (unsigned step = 0; step < 1000; ++step) {
      time += random() % 3;
      auto stream = uint32_t(random() % 3);
      auto memory = uint32_t(random() % 2);
      auto stack = uint32_t(random() % 12);
      uint64_t address;
      do
        address = 8 + random() % 100000 * 8;
      while (model.objects.contains({memory, address}));
      HeapEvent event = allocated(time, address, 1 + random() % 100, stack);
      event.memory = memory;
      bool declines = step / 100 % 2 != 0;
      if (!model.objects.empty() && random() % 10 < (declines ? 7 : 4)) {
        auto victim = model.objects.begin();
        std::advance(victim, ptrdiff_t(random() % model.objects.size()));
        event.memory = victim->first.first;
        if (random() % 4 == 0) {
          event.operation = reallocate;
          event.oldAddress = victim->first.second;
          if (random() % 2 || model.objects.contains({event.memory, address}))
            event.address = event.oldAddress;
        } else {
          event.operation = HeapOperation::free;
          event.address = victim->first.second;
        }
      }
      analysis.add(stream, 0, event);
      model.add(stream, event);
    }
    model.finish();
    analysis.finish(time + 5);
    EXPECT_EQ(analysis.totals().peak.live.bytes, model.peakBytes);
    EXPECT_EQ(analysis.totals().peak.time, model.peakTime);
    Model::ByStack live = model.live();
    size_t seen = 0;
    for (const HeapPath &path : analysis.paths()) {
      expectSums(path.allocated, model.all, path.stack);
      expectSums(path.live, live, path.stack);
      expectSums(path.atPeak, model.atPeak, path.stack);
      expectSums(path.atTime, model.atTime, path.stack);
      uint64_t oldest = 0;
      for (const auto &[place, object] : model.objects)
        if (object.stack == path.stack)
          oldest = std::max(oldest, time + 5 - object.time);
      EXPECT_EQ(path.oldest, oldest);
      ++seen;
    }
    EXPECT_EQ(seen, model.all.size());
    EXPECT_EQ(analysis.totals().temporary.objects(), model.temporary);
    EXPECT_EQ(analysis.totals().freedAgain + analysis.totals().neverAllocated +
                  analysis.totals().givenOutTwice,
              0u);
  }
}

TEST(HeapAnalysis, OfEqualPeaksTakesTheFirst) {
  HeapAnalysis analysis = analysed({{allocated(1, 8, 10, 1), freed(2, 8), allocated(3, 8, 10, 2)}});
  EXPECT_EQ(analysis.totals().peak.time, 1u);
  EXPECT_EQ(analysis.paths()[0].atPeak.bytes, 10u);
  EXPECT_EQ(analysis.paths()[1].atPeak.bytes, 0u);
}

TEST(HeapAnalysis, TellsApartFreesOfNothing) {
  const HeapEvent events[] = {allocated(1, 8, 10), freed(2, 8), freed(3, 8), freed(4, 16),
                              freed(5, 0)};
  for (bool beganLate : {false, true}) {
    HeapAnalysis analysis = analysed(events, {.beganLate = beganLate});
    EXPECT_EQ(analysis.totals().freedAgain, 1u);
    EXPECT_EQ(analysis.totals().neverAllocated, beganLate ? 0 : 1);
    EXPECT_EQ(analysis.totals().freedFromBefore, beganLate ? 1 : 0);
  }
}

TEST(HeapAnalysis, KeepsWhatAFailedCallLeaves) {
  HeapAnalysis analysis =
      analysed({{allocated(1, 8, 10), allocated(2, 0, 99), reallocated(3, 8, 0, 50, 2)}});
  EXPECT_EQ(analysis.totals().failed, 2u);
  EXPECT_EQ(analysis.totals().end.live.bytes, 10u);
  EXPECT_EQ(analysis.totals().allocated.bytes, 10u);
}

TEST(HeapAnalysis, ReallocatesNothingAndWhatIsUnknown) {
  HeapAnalysis analysis = analysed({{reallocated(1, 0, 8, 10, 1), reallocated(2, 16, 24, 7, 1)}});
  EXPECT_EQ(analysis.totals().end.live.bytes, 17u);
  EXPECT_EQ(analysis.totals().neverAllocated, 1u);
}

TEST(HeapAnalysis, AddsUpStacksOfThreadsThatAreTheSame) {
  HeapAnalysis analysis;
  for (uint32_t stream : {1, 2})
    analysis.add(stream, 0, allocated(1, 8 * stream, 10, stream));
  analysis.finish(5, {{0, 1, 1}});
  ASSERT_EQ(analysis.paths().size(), 1u);
  EXPECT_EQ(analysis.paths()[0].live.bytes, 20u);
  EXPECT_EQ(analysis.paths()[0].oldest, 4u);
}

TEST(HeapAnalysis, WaitsForTheFreeOfAnotherThread) {
  HeapAnalysis analysis;
  analysis.add(0, 0, allocated(1, 8, 10));
  analysis.add(0, 0, allocated(2, 8, 20));
  EXPECT_EQ(analysis.now().live.bytes, 20u);
  EXPECT_EQ(analysis.totals().givenOutTwice, 1u);
  analysis.add(1, 0, freed(3, 8));
  EXPECT_EQ(analysis.now().live.bytes, 20u);
  EXPECT_EQ(analysis.totals().givenOutTwice, 0u);
  analysis.add(1, 0, freed(4, 8));
  EXPECT_EQ(analysis.now().live.bytes, 0u);
  // Nobody else is there to free it.
  analysis.add(0, 0, {{allocated(5, 8, 10), allocated(6, 8, 20), freed(7, 8)}});
  EXPECT_EQ(analysis.now().live.bytes, 0u);
  EXPECT_EQ(analysis.totals().givenOutTwice, 1u);
  EXPECT_EQ(analysis.totals().neverAllocated, 0u);
}

// Allocators may have one address for all objects of no size.
TEST(HeapAnalysis, ObjectsOfNoSizeShareAnAddress) {
  HeapAnalysis analysis;
  analysis.add(0, 0, {{allocated(1, 8, 0), allocated(2, 8, 0), allocated(3, 8, 0)}});
  EXPECT_EQ(analysis.now().live.parts, HeapAmount::of(0, 0).parts);
  EXPECT_EQ(analysis.totals().givenOutTwice, 0u);
  analysis.add(0, 0, allocated(4, 8, 1));
  EXPECT_EQ(analysis.totals().givenOutTwice, 1u);
}

// Of equal times the earlier stream comes first, whatever happened first.
TEST(HeapAnalysis, TakesAFreeAtTheTimeOfTheAllocation) {
  HeapAnalysis analysis;
  analysis.add(1, 0, freed(5, 8));
  EXPECT_EQ(analysis.totals().neverAllocated, 1u);
  analysis.add(2, 0, {{allocated(5, 8, 10), allocated(5, 16, 20)}});
  EXPECT_EQ(analysis.totals().neverAllocated, 0u);
  EXPECT_EQ(analysis.totals().lifetimes.sum().bytes, 10u);
  EXPECT_EQ(analysis.now().live.bytes, 20u);
  // The next time, a free of an address that was given out before.
  analysis.add(1, 0, freed(6, 8));
  EXPECT_EQ(analysis.totals().freedAgain, 1u);
  analysis.add(2, 0, allocated(6, 8, 10));
  EXPECT_EQ(analysis.totals().freedAgain, 0u);
  EXPECT_EQ(analysis.now().live.bytes, 20u);
  // Not of the stream's own, and not at another time.
  analysis.add(2, 0, {{freed(7, 8), allocated(7, 8, 10)}});
  analysis.add(1, 0, freed(8, 24));
  analysis.add(2, 0, allocated(9, 24, 10));
  EXPECT_EQ(analysis.totals().freedAgain, 1u);
  EXPECT_EQ(analysis.totals().neverAllocated, 1u);
  EXPECT_EQ(analysis.now().live.bytes, 40u);
}

// Such a free is not listed, and the object's next free knows it.
TEST(HeapAnalysis, ForgetsWrongFreesThatWereNone) {
  HeapAnalysis analysis;
  analysis.add(1, 0, freed(5, 8, 3));
  EXPECT_EQ(analysis.wrongFrees().size(), 1u);
  analysis.add(2, 0, {{allocated(5, 8, 10, 4), freed(6, 8, 7)}});
  analysis.finish(9);
  ASSERT_EQ(analysis.wrongFrees().size(), 1u);
  const WrongFrees &wrong = analysis.wrongFrees().front();
  EXPECT_TRUE(wrong.isAgain);
  EXPECT_EQ(wrong.count, 1u);
  EXPECT_EQ(wrong.stack, 7u);
  EXPECT_EQ(wrong.freedBy, 3u);
  EXPECT_EQ(wrong.allocatedBy, 4u);
}

TEST(HeapAnalysis, ListsSoManyWrongFrees) {
  HeapAnalysis analysis;
  for (unsigned round = 0; round < 2; ++round)
    for (uint32_t i = 0; i < 5000; ++i)
      analysis.add(0, 0, freed(i + 1, 8 + i, i));
  analysis.finish(5000);
  EXPECT_EQ(analysis.totals().neverAllocated, 10000u);
  EXPECT_EQ(analysis.wrongFrees().size(), 4096u);
  EXPECT_EQ(analysis.wrongFrees().front().count, 2u);
}

// A realloc is told when it is done: another thread may have been given the old block by then.
TEST(HeapAnalysis, WaitsForTheReallocOfAnotherThread) {
  const std::pair<uint32_t, HeapEvent> late = {1, reallocated(30, 8, 16, 100, 1)};
  const std::pair<uint32_t, HeapEvent> own = {2, freed(30, 8)};
  for (const auto &order : {std::array{late, own}, std::array{own, late}}) {
    HeapAnalysis analysis;
    analysis.add(1, 0, allocated(10, 8, 16));
    analysis.add(2, 0, allocated(20, 8, 7));
    for (const auto &[stream, event] : order)
      analysis.add(stream, 0, event);
    EXPECT_EQ(analysis.now().live.bytes, 100u);
    EXPECT_EQ(analysis.totals().givenOutTwice, 0u);
    EXPECT_EQ(analysis.totals().freedAgain, 0u);
    EXPECT_EQ(analysis.totals().neverAllocated, 0u);
  }
}

TEST(HeapAnalysis, WaitsForAFreeWhileTheAddressGoesOn) {
  HeapAnalysis analysis;
  analysis.add(1, 0, allocated(1, 8, 16));
  analysis.add(2, 0, {{allocated(2, 8, 7), freed(3, 8)}});
  analysis.add(3, 0, allocated(4, 8, 5));
  analysis.add(2, 0, freed(5, 8));
  EXPECT_EQ(analysis.now().live.bytes, 5u);
  EXPECT_EQ(analysis.totals().givenOutTwice, 0u);
}

TEST(HeapAnalysis, GivesSampledObjectsTheirWeight) {
  HeapAnalysis analysis;
  analysis.add(0, 1000, {{allocated(1, 8, 1000), allocated(2, 16, 10), freed(3, 99)}});
  EXPECT_TRUE(analysis.isSampled());
  auto weight = [](double size) { return size / (1 - std::exp(-size / 1000)); };
  EXPECT_NEAR(double(analysis.now().live.bytes), weight(1000) + weight(10), 1);
  EXPECT_NEAR(double(analysis.now().live.parts) / HeapAmount::partsOfObject,
              weight(1000) / 1000 + weight(10) / 10, 0.01);
  EXPECT_EQ(analysis.totals().neverAllocated, 0u);
  analysis.add(0, 1000, {{freed(4, 8), freed(5, 16)}});
  EXPECT_EQ(analysis.now().live, HeapAmount());
  // Of something that was not chosen and lay there later.
  analysis.add(1, 1000, freed(6, 8));
  EXPECT_EQ(analysis.totals().freedAgain, 0u);
  // It was the next event that was chosen, not the next one.
  analysis.add(0, 1000, {{allocated(7, 24, 1000), freed(8, 24)}});
  EXPECT_EQ(analysis.totals().temporary, HeapAmount());
}

TEST(HeapAnalysis, FollowsMemories) {
  HeapAnalysis analysis = analysed({{grown(1, 65536), grown(2, 131072, 2), allocated(3, 8, 9),
                                     grown(4, 1000, 3, /*memory=*/7), grown(5, 196608, 2)}});
  // The second one was made later.
  EXPECT_EQ(analysis.totals().start.memory, 65536u);
  EXPECT_EQ(analysis.totals().peak.memory, 131072u);
  EXPECT_EQ(analysis.totals().end.memory, 196608u + 1000);
  EXPECT_EQ(analysis.totals().growths, 2u);
  EXPECT_EQ(analysis.paths()[0].grown, 131072u);
}

TEST(HeapAnalysis, CountsMemoriesOfTheStart) {
  HeapAnalysis analysis =
      analysed({{grown(1, 10, 1, 0), grown(2, 20, 1, 1), allocated(3, 8, 9), grown(4, 40, 1, 2)}});
  EXPECT_EQ(analysis.totals().start.memory, 30u);
  HeapAnalysis together = analysed({{allocated(3, 8, 9), grown(3, 40)}});
  EXPECT_EQ(together.totals().start.memory, 40u);
}

TEST(HeapAnalysis, CountsNoGrowthByNothing) {
  HeapAnalysis analysis = analysed({{grown(1, 65536), grown(2, 65536), grown(3, 65536)}});
  EXPECT_EQ(analysis.totals().growths, 0u);
  EXPECT_EQ(analysis.totals().end.memory, 65536u);
}

HeapEvent grownTable(uint64_t time, uint64_t elements, uint32_t stack, uint32_t table) {
  HeapEvent event = grown(time, elements, stack, table);
  event.operation = growTable;
  return event;
}

TEST(HeapAnalysis, KeepsElementsOfTablesApart) {
  const HeapEvent events[] = {grown(1, 65536),
                              allocated(2, 8, 10),
                              grownTable(3, 5, 2, 0),
                              grownTable(4, 7, 3, 1),
                              grownTable(5, 9, 2, 0),
                              grownTable(6, 9, 2, 0),
                              freed(7, 8),
                              grownTable(8, 8, 3, 1)};
  HeapAnalysis analysis = analysed(events);
  const HeapTotals &totals = analysis.totals();
  EXPECT_EQ(totals.start.memory, 65536u);
  EXPECT_EQ(totals.end.memory, 65536u);
  EXPECT_EQ(totals.start.tables, 12u);
  EXPECT_EQ(totals.peak.tables, 0u);
  EXPECT_EQ(totals.end.tables, 17u);
  EXPECT_EQ(totals.growths, 0u);
  EXPECT_EQ(totals.tableGrowths, 2u);
  // Something else happened between.
  EXPECT_EQ(totals.temporary.objects(), 0u);
  EXPECT_EQ(totals.events, 8u);
  ASSERT_EQ(analysis.paths().size(), 3u);
  EXPECT_EQ(analysis.paths()[1].tablesGrown, 4u);
  EXPECT_EQ(analysis.paths()[2].tablesGrown, 1u);
  for (const HeapPath &path : analysis.paths())
    EXPECT_EQ(path.grown, 0u);
}

TEST(HeapAnalysis, SurvivesTablesThatCannotBe) {
  std::vector<HeapEvent> events{grownTable(1, 0, 1, 0), grownTable(2, UINT64_MAX, 1, 0),
                                grownTable(3, UINT64_MAX, 1, 1), grownTable(4, 1, 1, 0),
                                grownTable(5, UINT64_MAX, 1, 0)};
  // As many as there are numbers of 16 bits are known.
  for (uint32_t table = 2; table < (1 << 16) + 3; ++table)
    events.push_back(grownTable(6, 1, 1, table));
  HeapAnalysis analysis = analysed(events);
  EXPECT_EQ(analysis.totals().end.tables, UINT64_MAX);
  EXPECT_EQ(analysis.paths()[0].tablesGrown, UINT64_MAX);
  EXPECT_EQ(analysis.totals().tooLarge, 3u);
  EXPECT_EQ(analysis.totals().end.memory, 0u);
}

TEST(HeapAnalysis, SurvivesSizesThatCannotBe) {
  std::vector<HeapEvent> events;
  for (uint64_t i = 1; i < 100; ++i)
    events.push_back(allocated(i, i * 8, UINT64_MAX >> i % 5));
  for (uint64_t i = 1; i < 100; ++i)
    events.push_back(grown(i, UINT64_MAX, 1, uint32_t(UINT32_MAX - i)));
  HeapAnalysis analysis = analysed(events);
  EXPECT_EQ(analysis.totals().end.memory, UINT64_MAX);
  EXPECT_GT(analysis.totals().tooLarge, 0u);
  EXPECT_LE(analysis.totals().end.live.bytes, uint64_t(1) << 62);
  HeapAnalysis sampled;
  sampled.add(0, UINT64_MAX, events);
  sampled.add(0, 1, events);
  sampled.finish(0);
  EXPECT_LE(sampled.totals().end.live.bytes, uint64_t(1) << 62);
}

TEST(HeapAnalysis, SeesPathsThatGrowSteadily) {
  std::vector<HeapEvent> events;
  for (uint64_t i = 1; i < 1000; ++i) {
    events.push_back(allocated(i, i * 16, 10, /*stack=*/1));
    events.push_back(allocated(i, i * 16 + 8, 1000, /*stack=*/2));
    events.push_back(freed(i, i * 16 + 8));
  }
  events.push_back(allocated(1000, 8, 1 << 20, /*stack=*/3));
  HeapAnalysis analysis = analysed(events);
  EXPECT_TRUE(analysis.paths()[0].growsSteadily());
  EXPECT_FALSE(analysis.paths()[1].growsSteadily());
  EXPECT_FALSE(analysis.paths()[2].growsSteadily());
}

TEST(HeapAnalysis, DistributesSizesAndLifetimes) {
  HeapAnalysis analysis = analysed({{allocated(1, 8, 0), allocated(2, 16, 1),
                                     allocated(3, 24, 1024), freed(4, 16), freed(5, 8)}});
  const auto &sizes = analysis.totals().sizes.classes;
  EXPECT_EQ(sizes[0].objects(), 1u);
  EXPECT_EQ(sizes[1].objects(), 1u);
  EXPECT_EQ(sizes[11].bytes, 1024u);
  // That of 1 byte lived while 1025 bytes were allocated, itself included.
  EXPECT_EQ(analysis.totals().lifetimes.classes[11].objects(), 2u);
}

} // namespace
