//===- PhaseRootsTest.cpp - Which phase something is of -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The oracle looks at every moment of a short time.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/PhaseRoots.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/CallTree.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;
using namespace warpo;

namespace {

constexpr uint64_t timeSpan = 30;

/// Of the phases that the moment lies in, the one that began last.
uint32_t naiveFind(ArrayRef<RunPhases::Interval> phases, uint64_t moment, bool closed) {
  std::optional<size_t> found;
  for (size_t i = 0; i < phases.size(); ++i)
    if (phases[i].begin <= moment && (closed ? moment <= phases[i].end : moment < phases[i].end) &&
        (!found || phases[i].begin >= phases[*found].begin))
      found = i;
  return found ? phases[*found].phase : RunPhases::noPhase;
}

std::vector<RunPhases::Interval> randomPhases(std::mt19937 &random) {
  std::vector<RunPhases::Interval> phases;
  for (unsigned count = random() % 6; count > 0; --count) {
    uint64_t begin = random() % timeSpan;
    phases.push_back({begin, begin + random() % (timeSpan - begin), uint32_t(random() % 4)});
  }
  return phases;
}

TEST(RunPhases, findThePhaseThatBeganLast) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    std::vector<RunPhases::Interval> phases = randomPhases(random);
    RunPhases run(phases);
    for (uint64_t moment = 0; moment < timeSpan; ++moment)
      ASSERT_EQ(run.find(moment), naiveFind(phases, moment, true)) << seed << ": " << moment;
    for (const RunPhases::Span &span : run.spans())
      for (uint64_t moment = span.from; moment < span.to; ++moment)
        ASSERT_EQ(span.phase, naiveFind(phases, moment, false)) << seed << ": " << moment;
  }
}

RecordHeader headerWith(ArrayRef<RunPhases::Interval> phases) {
  RecordHeader header;
  // Some of them lie before the origin.
  header.origin = timeSpan / 3;
  for (const RunPhases::Interval &phase : phases)
    header.phases.push_back(
        {.name = std::to_string(phase.phase), .begin = phase.begin, .end = phase.end, .unit = {}});
  return header;
}

TEST(PhaseCover, leavesWhatIsInNoCall) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    std::vector<RunPhases::Interval> intervals = randomPhases(random);
    if (intervals.empty())
      continue;
    RecordHeader header = headerWith(intervals);
    HostPhases phases = cantFail(HostPhases::create(header));
    // As HostPhases numbers them.
    for (RunPhases::Interval &interval : intervals)
      interval.phase = uint32_t(
          find_if(phases.phases(),
                  [&](const auto &phase) { return phase.name == std::to_string(interval.phase); }) -
          phases.phases().begin());
    PhaseCover cover(phases);
    const RunPhases &run = *phases.runOf({});
    std::vector<std::vector<bool>> isCovered(4, std::vector<bool>(timeSpan));
    for (unsigned calls = random() % 8; calls > 0; --calls) {
      uint64_t from = random() % timeSpan, to = from + random() % (timeSpan - from);
      uint32_t phase = run.find(phases.keyOf(from));
      ASSERT_EQ(phase, naiveFind(intervals, from, true)) << seed;
      if (phase == RunPhases::noPhase)
        continue;
      cover.add(run, phase, from, to, noCounts);
      std::fill(isCovered[phase].begin() + from, isCovered[phase].begin() + to, true);
    }
    std::vector<uint64_t> own(4);
    for (uint64_t moment = 0; moment < timeSpan; ++moment)
      if (uint32_t phase = naiveFind(intervals, moment, false);
          phase != RunPhases::noPhase && !isCovered[phase][moment])
        ++own[phase];
    for (uint32_t phase = 0; phase < phases.phases().size(); ++phase)
      ASSERT_EQ(*cover.own(phase, 0), own[phase]) << seed << ": " << phase;
  }
}

/// What HostPhases makes of a record without time, `phase@fuel` for each of `moments`.
std::string byFuel(ArrayRef<RecordedPhase> phases, size_t streams, ArrayRef<uint64_t> moments) {
  RecordHeader header;
  header.measures = {{.name = "fuel", .unit = "fuel"}};
  header.phases = phases;
  header.streams.resize(streams);
  auto made = HostPhases::create(header);
  if (!made)
    return toString(made.takeError());
  std::string text;
  for (uint64_t moment : moments) {
    uint32_t phase = made->runOf({})->find(made->keyOf(moment));
    text += (text.empty() ? "" : " ") +
            (phase == RunPhases::noPhase ? "-" : made->phases()[phase].name) + "@" +
            std::to_string(moment);
  }
  return text;
}

RecordedPhase burning(StringRef name, std::optional<uint64_t> fuel) {
  return {.name = name.str(), .unit = fuel ? "fuel" : "", .ticks = fuel.value_or(0)};
}

TEST(HostPhases, areDistinguishedByFuelAlone) {
  const uint64_t moments[] = {0, 4, 5, 6, 1000};
  RecordedPhase bytes{.name = "decode", .unit = "bytes", .ticks = 100};
  struct {
    const char *name;
    std::vector<RecordedPhase> phases;
    size_t streams;
    const char *expected;
  } cases[] = {
      {"one counter",
       {bytes, burning("start", 5), burning("run", 9)},
       1,
       "start@0 start@4 run@5 run@6 run@1000"},
      {"nothing burnt at first",
       {burning("start", 0), burning("run", 9)},
       1,
       "run@0 run@4 run@5 run@6 run@1000"},
      {"nothing burnt at last",
       {burning("start", 5), burning("run", 0)},
       1,
       "start@0 start@4 run@5 run@6 run@1000"},
      {"a start that trapped",
       {bytes, burning("start", std::nullopt)},
       1,
       "start@0 start@4 start@5 start@6 start@1000"},
      {"several counters, one phase that burns",
       {burning("start", 0), burning("run", 9)},
       2,
       "run@0 run@4 run@5 run@6 run@1000"},
      {"several counters",
       {burning("start", 5), burning("run", 9)},
       2,
       "fuel is the record's only clock, and 2 streams of 0 modules count it separately: the "
       "phase in which a call began is unknown"},
      {"no fuel", {bytes}, 1, "-@0 -@4 -@5 -@6 -@1000"},
      {"none",
       {},
       1,
       "the record has no phases of the host; warpo-run records them, in the format warpo"},
  };
  for (const auto &test : cases)
    EXPECT_EQ(byFuel(test.phases, test.streams, moments), test.expected) << test.name;
}

TEST(HostPhases, areOfTheRunThatTheStreamIsOf) {
  RecordHeader header;
  for (StringRef run : {"a", "b: c"})
    header.phases.push_back(
        {.name = "run of " + run.str(), .begin = 0, .end = 9, .unit = {}, .run = run.str()});
  HostPhases phases = cantFail(HostPhases::create(header));
  auto phaseOf = [&](StringRef stream) {
    StreamInfo info;
    info.name = stream.str();
    const RunPhases *run = phases.runOf(info);
    return run ? phases.phases()[run->find(phases.keyOf(3))].name : "none";
  };
  EXPECT_EQ(phaseOf("a"), "run of a");
  EXPECT_EQ(phaseOf("a: worker"), "run of a");
  EXPECT_EQ(phaseOf("b: c: worker: 1"), "run of b: c");
  EXPECT_EQ(phaseOf("b"), "none");
  EXPECT_EQ(phaseOf(""), "none");
}

} // namespace
