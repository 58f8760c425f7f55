//===- MergedRecordTest.cpp - Several records as one ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/MergedRecord.h"
#include "RandomRecord.h"
#include "RecordText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// A record of one stream: two calls, at `first` and 10 counts later.
struct Source {
  uint64_t wall;
  uint64_t origin;
  uint64_t first;
  TimeScale scale = {};
  uint64_t moduleId = 1;
  std::string moduleName = "app";
  std::string streamName = "";
  ProbeCost probe = {};
};

MergedRecord::Part partOf(const Source &source, StringRef name) {
  Written record;
  record.header.wallClock = source.wall;
  record.probe = source.probe;
  record.header.origin = source.origin;
  record.header.streams.push_back({source.moduleId, source.streamName, 0});
  RecordedModule module;
  module.id = source.moduleId;
  module.name = source.moduleName;
  module.functions = {{0x1000000, 0, 1}};
  module.names = "f";
  record.header.modules.push_back(module);
  Written::Piece piece{0, {}};
  for (uint64_t i : {0, 1}) {
    piece.columns.times.insert(piece.columns.times.end(),
                               {source.first + 10 * i, source.first + 10 * i + 5});
    piece.columns.ids.insert(piece.columns.ids.end(), {0x1000000, -0x1000000});
  }
  record.pieces.push_back(piece);
  return {cantFail(openBytes(record.write())), name.str(), source.scale};
}

std::vector<MergedRecord::Part> partsOf(ArrayRef<Source> sources) {
  std::vector<MergedRecord::Part> parts;
  for (size_t i = 0; i < sources.size(); ++i)
    parts.push_back(partOf(sources[i], std::string(1, char('a' + i))));
  return parts;
}

/// Of each batch its stream's name, module and times.
std::string textOf(RecordReader &reader) {
  std::string text;
  raw_string_ostream os(text);
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
    const StreamInfo &stream = reader.header().streams[batch.stream];
    os << (text.empty() ? "" : "; ") << stream.name << " in " << stream.moduleId << ':';
    for (uint64_t time : batch.times)
      os << ' ' << time;
  }
  return text;
}

TEST(MergedRecord, isInNanosecondsOfTheDay) {
  struct {
    const char *name;
    std::vector<Source> sources;
    const char *expected;
    std::vector<std::string> unaligned;
  } cases[] = {
      {"one", {{1000, 50, 60}}, "a in 1: 10 15 20 25", {}},
      {"two of the same start",
       {{1000, 50, 60}, {1000, 7, 8}},
       "b in 1: 1 6 11 16; a in 1: 10 15 20 25",
       {}},
      {"one after the other",
       {{5000, 0, 0}, {1000, 0, 0}},
       "b in 1: 0 5 10 15; a in 1: 4000 4005 4010 4015",
       {}},
      {"clocks of different rates",
       {{1000, 0, 10, {2, 1}}, {1000, 0, 10, {1, 5}}},
       "b in 1: 2 3 4 5; a in 1: 20 30 40 50",
       {}},
      {"before its origin",
       {{1000, 100, 90}, {1100, 100, 90}},
       "a in 1: 0 0 0 5; b in 1: 90 95 100 105",
       {}},
      {"an unknown start",
       {{1000, 0, 30}, {0, 0, 1000000}},
       "b in 1: 0 5 10 15; a in 1: 30 35 40 45",
       {"b"}},
      {"names of streams",
       {{1000, 0, 0, {}, 1, "app", "main"}, {1000, 0, 1, {}, 1, "app", "worker"}},
       "a: main in 1: 0 5 10 15; b: worker in 1: 1 6 11 16",
       {}},
      {"another module of the same id",
       {{1000, 0, 0}, {1000, 0, 1, {}, 1, "lib"}, {1000, 0, 2, {}, 2, "third"}},
       "a in 1: 0 5 10 15; b in 2: 1 6 11 16; c in 3: 2 7 12 17",
       {}},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    auto merged = cantFail(MergedRecord::create(partsOf(test.sources)));
    EXPECT_EQ(merged->unaligned(), test.unaligned);
    EXPECT_TRUE(merged->header().measures[0].scale->isIdentity());
    EXPECT_EQ(textOf(*merged), test.expected);
    size_t names = 0;
    for (const RecordedModule &module : merged->header().modules)
      names += module.functions.size();
    EXPECT_EQ(names, merged->header().modules.size());
  }
}

/// A record with a call and a sample of each of these sections, which it numbers in this order.
MergedRecord::Part partWithSections(StringRef name, ArrayRef<StringRef> sections,
                                    uint64_t moduleId = 1) {
  Written record;
  record.header.wallClock = 1000;
  record.header.streams.push_back({moduleId, ""});
  RecordedModule module;
  module.id = moduleId;
  module.name = "app";
  module.addFunction(firstFunctionId, "main");
  record.pieces.resize(2, {0, {}});
  RecordColumns &calls = record.pieces[0].columns, &samples = record.pieces[1].columns;
  for (StringRef section : sections) {
    int32_t id = firstSectionId + int32_t(record.header.stacks.size()) - 1;
    module.addFunction(id, section);
    uint64_t time = 10 * record.header.stacks.size();
    calls.times.insert(calls.times.end(), {time, time, time + 5, time + 5});
    calls.ids.insert(calls.ids.end(), {firstFunctionId, id, -id, -firstFunctionId});
    samples.beside.samples.push_back(
        {.time = time, .timeSince = 10, .stack = uint32_t(record.header.stacks.size())});
    record.header.stacks.push_back({.id = id, .moduleId = moduleId});
  }
  record.header.modules.push_back(module);
  return {cantFail(openBytes(record.write())), name.str(), TimeScale()};
}

/// Of each batch its stream's name, and the names of what begins and of samples' frames.
std::string namesOf(RecordReader &reader, FunctionTable &functions) {
  reader.observe(functions);
  std::string text;
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
    const StreamInfo &stream = reader.header().streams[batch.stream];
    text += (text.empty() ? "" : "; ") + stream.name + ":";
    for (int32_t id : batch.ids)
      if (id > 0)
        text += " " + functions[functions.idsOf(batch.stream, stream).find(id)].name.str();
    for (const StackSample &sample : batch.beside.samples)
      text += " " + functions[functions.stacks()[sample.stack].function].name.str();
  }
  return text;
}

TEST(MergedRecord, knowsSectionsByTheirNames) {
  struct {
    const char *name;
    std::vector<MergedRecord::Part> parts;
    const char *expected;
  } cases[3] = {
      {"in another order",
       {},
       "a: load parse; a: main load main parse; b: parse draw; b: main parse main draw"},
      {"of other modules", {}, "a: load; a: main load; b: parse load; b: main parse main load"},
      {"alone", {}, "a: load parse; a: main load main parse"},
  };
  cases[0].parts.push_back(partWithSections("a", {"load", "parse"}));
  cases[0].parts.push_back(partWithSections("b", {"parse", "draw"}));
  cases[1].parts.push_back(partWithSections("a", {"load"}));
  cases[1].parts.push_back(partWithSections("b", {"parse", "load"}, 2));
  cases[2].parts.push_back(partWithSections("a", {"load", "parse"}));
  for (auto &test : cases) {
    SCOPED_TRACE(test.name);
    FunctionTable functions;
    auto merged = cantFail(MergedRecord::create(std::move(test.parts)));
    EXPECT_EQ(namesOf(*merged, functions), test.expected);
    std::set<int32_t> ids;
    size_t sections = 0;
    for (const RecordedModule &module : merged->header().modules)
      for (const RecordedModule::Function &function : module.functions)
        if (isSection(function.id)) {
          ++sections;
          ids.insert(function.id);
        }
    // A mapping may not distinguish modules.
    EXPECT_EQ(ids.size(), sections);
    EXPECT_EQ(*ids.begin(), firstSectionId);
  }
}

TEST(MergedRecord, hasNoMoreSectionsThanIds) {
  std::vector<std::string> names;
  for (int i = 0; i < 40000; ++i)
    names.push_back("a" + std::to_string(i));
  auto sections = [&](char first) {
    std::vector<StringRef> refs;
    for (std::string &name : names) {
      name.front() = first;
      refs.push_back(name);
    }
    return refs;
  };
  std::vector<MergedRecord::Part> parts;
  parts.push_back(partWithSections("a", sections('a')));
  parts.push_back(partWithSections("b", sections('b')));
  auto merged = cantFail(MergedRecord::create(std::move(parts)));
  RecordBatch batch;
  auto more = merged->next(batch);
  ASSERT_FALSE(more);
  EXPECT_EQ(toString(more.takeError()), "the records have more than 65533 sections together");
}

TEST(MergedRecord, HasSwitchesBehindTheLastEntry) {
  std::string record = "warpo-record: 1\nrate: 1\nentries:\n  - module: 16\n";
  std::string entries = "  - [10, 1]\n  - [20, -1]\n";
  std::string change = "  - switch: [returns, 30]\n";
  std::vector<MergedRecord::Part> parts;
  for (const std::string &text : {record + entries + change, record + change, record + entries})
    parts.push_back({cantFail(openBytes(text, "yaml")), std::to_string(parts.size()), {}});
  auto merged = cantFail(MergedRecord::create(std::move(parts)));
  RecordBatch batch;
  while (cantFail(merged->next(batch)))
    ;
  ASSERT_EQ(merged->header().switches.size(), 2U);
  EXPECT_NE(merged->header().switches[0].stream, merged->header().switches[1].stream);
}

TEST(MergedRecord, statesTheMeanCostOfRecordingInNanoseconds) {
  Source slow{1000, 0, 0, TimeScale(2, 1)};
  slow.probe = {100, 200, 300};
  Source fast{1000, 0, 0};
  fast.probe = {40, 20};
  auto cost = [](ArrayRef<Source> sources) {
    ProbeCost cost = cantFail(MergedRecord::create(partsOf(sources)))->probe();
    return std::tuple(cost.begin, cost.end, cost.step);
  };
  EXPECT_EQ(cost({slow, fast}), std::tuple(120u, 210u, 300u));
  // A part that states no cost at all is like the others.
  EXPECT_EQ(cost({slow, {1000, 0, 0}}), std::tuple(200u, 400u, 600u));
  EXPECT_EQ(cost({{1000, 0, 0}}), std::tuple(0u, 0u, 0u));
}

TEST(MergedRecord, saysWhereAnEntryStands) {
  auto merged = cantFail(MergedRecord::create(partsOf({{1000, 0, 0}, {1000, 0, 1}})));
  RecordBatch batch;
  ASSERT_TRUE(cantFail(merged->next(batch)));
  EXPECT_EQ(merged->placeOf(0).substr(0, 5), "in:0x");
  while (cantFail(merged->next(batch)))
    ;
  EXPECT_EQ(merged->inputSize(), merged->bytesRead());
}

TEST(MergedRecord, knowsWhatDecidedWhenSamplesWereDue) {
  Written record;
  record.header.streams.push_back({1, "", 0, "fuel", 1000});
  record.pieces.resize(2);
  record.pieces[0].columns.times = {0, 5};
  record.pieces[0].columns.ids = {0x1000000, -0x1000000};
  record.header.measures.push_back({.name = "fuel", .unit = "fuel"});
  record.pieces[1].columns.beside.samples = {{7, 2, 0, {1000}}};
  std::vector<MergedRecord::Part> parts;
  for (StringRef name : {"a", "b"})
    parts.push_back({cantFail(openBytes(record.write())), name.str(), TimeScale()});
  auto merged = cantFail(MergedRecord::create(std::move(parts)));
  RecordBatch batch;
  while (cantFail(merged->next(batch)))
    ;
  ASSERT_EQ(merged->header().streams.size(), 2u);
  for (const StreamInfo &stream : merged->header().streams) {
    EXPECT_EQ(stream.sampledBy, "fuel");
    EXPECT_EQ(stream.sampleInterval, 1000u);
  }
}

TEST(MergedRecord, roundsSamplesSoThatOneBeginsWhereTheLastWasTaken) {
  Written record;
  record.header.streams.push_back({1, ""});
  record.pieces.resize(1);
  for (uint64_t time = 0; time < 300; time += 3)
    record.pieces[0].columns.beside.samples.push_back({.time = time + 3, .timeSince = 3});
  std::vector<MergedRecord::Part> parts;
  parts.push_back({cantFail(openBytes(record.write())), "a", TimeScale(2, 5)});
  auto merged = cantFail(MergedRecord::create(std::move(parts)));
  RecordBatch batch;
  std::vector<StackSample> samples;
  while (cantFail(merged->next(batch)))
    samples.insert(samples.end(), batch.beside.samples.begin(), batch.beside.samples.end());
  ASSERT_EQ(samples.size(), 100u);
  uint64_t sum = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].begin(), i > 0 ? samples[i - 1].time : 0) << i;
    sum += samples[i].timeSince;
  }
  EXPECT_NEAR(double(sum), 120, 1);
}

TEST(MergedRecord, refusesClocksWithoutACommonMoment) {
  auto made = [](StringRef first, StringRef second) {
    std::vector<MergedRecord::Part> parts;
    for (StringRef clocks : {first, second})
      parts.push_back(
          {cantFail(openBytes(
               ("warpo-record: 1\nclocks: " + clocks + "\nentries:\n  - [0, 1, 0]\n").str())),
           clocks.str(), TimeScale()});
    auto merged = MergedRecord::create(std::move(parts));
    return merged ? "" : toString(merged.takeError());
  };
  EXPECT_EQ(made("time", "time, fuel"), "");
  EXPECT_EQ(made("time, fuel", "time, fuel"), "");
  EXPECT_EQ(made("time, fuel", "time, fuel:x"), "time, fuel:x counts fuel:x, others fuel");
  EXPECT_NE(made("time", "fuel").find("fuel has fuel for its only clock"), std::string::npos);
}

} // namespace
