//===- DeclarationsTest.cpp - Who hears a record's declarations -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomRecord.h"
#include "RecordText.h"
#include "warpo/Record/MergedRecord.h"
#include "warpo/Record/OneStack.h"
#include "warpo/Record/ProbeSubtraction.h"
#include "warpo/Recorder/record_encoding.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// `module 7 app +2` for a module with two functions more, `stream 0`, `stack 1 in 0`, `phase run`.
class DeclarationText : public DeclarationObserver {
public:
  void declareModule(size_t index, const RecordedModule &module,
                     ArrayRef<RecordedModule::Function> added) override {
    EXPECT_LE(index, modules_);
    modules_ = std::max(modules_, index + 1);
    add("module " + Twine(module.id) + " " + module.name + " +" + Twine(added.size()));
    if (!added.empty()) {
      EXPECT_EQ(added.end(), ArrayRef(module.functions).end());
      EXPECT_EQ(module.nameOf(added.front()), "f" + std::to_string(added.front().id));
    }
  }
  void declareLinkedFunctions(size_t index, const RecordedModule &module,
                              ArrayRef<int32_t> added) override {
    EXPECT_LT(index, modules_);
    EXPECT_EQ(added.end(), ArrayRef(module.linked).end());
    std::string ids;
    for (int32_t id : added)
      ids += " " + std::to_string(id);
    add("linked" + ids + " in " + Twine(module.id));
  }
  void declarePlaces(size_t index, const RecordedModule &module) override {
    EXPECT_LT(index, modules_);
    add("places of " + Twine(module.places->functions.size()) + " in " + Twine(module.id));
  }
  void declareStream(StreamIndex index, const StreamInfo &stream) override {
    add((index < streams ? "again stream " : "stream ") + Twine(index) + " " + stream.name +
        (stream.sampleInterval ? " each " + Twine(stream.sampleInterval) : Twine()));
    EXPECT_LE(index, streams);
    streams = std::max(streams, size_t(index) + 1);
  }
  void declareStack(uint32_t index, const RecordedStack &stack) override {
    EXPECT_EQ(index, ++stacks);
    add("stack " + Twine(stack.id) + stack.text + " in " + Twine(stack.parent));
  }
  void declarePhase(const RecordedPhase &phase) override {
    add("phase " + phase.name + (phase.run.empty() ? "" : " of " + phase.run));
  }

  void declareSwitch(const RecordedSwitch &change) override {
    EXPECT_LT(std::max(change.stream, change.from), streams);
    EXPECT_LE(change.stack, stacks);
    add("switch " + Twine(unsigned(change.kind)) + " to " + Twine(change.stream) + " at " +
        Twine(change.time) + " from " + Twine(change.from) + " at " + Twine(change.at) + " in " +
        Twine(change.stack));
  }

  std::string text;
  size_t streams = 0;
  uint32_t stacks = 0;

private:
  void add(const Twine &line) { text += (text.empty() ? "" : "; ") + line.str(); }
  size_t modules_ = 0;
};

/// Reads all, and expects that a batch refers to nothing that has not been declared.
std::string declaredBy(RecordReader &reader) {
  DeclarationText first;
  reader.observe(first);
  reader.observe(first);
  RecordBatch batch;
  while (cantFail(reader.next(batch))) {
    EXPECT_LT(batch.stream, first.streams);
    for (const StackSample &sample : batch.beside.samples)
      EXPECT_LE(sample.stack, first.stacks);
  }
  // One that comes late hears all of it.
  DeclarationText late;
  reader.observe(late);
  EXPECT_EQ(late.streams, first.streams);
  EXPECT_EQ(late.stacks, first.stacks);
  EXPECT_EQ(&reader.header(), &reader.header());
  EXPECT_EQ(reader.header().streams.size(), first.streams);
  EXPECT_EQ(reader.header().stacks.size(), first.stacks + 1);
  return first.text;
}

std::string sampledRecord(uint64_t entries = 60000) {
  Written record;
  record.header.streams.push_back({7, "main", 0, "time", 1000});
  RecordedModule &module = record.header.modules.emplace_back();
  module.id = 7;
  module.addFunction(16777216, "f16777216");
  module.addFunction(16777217, "f16777217");
  record.header.stacks.push_back({0, 16777216, 7});
  record.header.stacks.push_back({1, 0, 0, "guest"});
  RecordedPhase &phase = record.header.phases.emplace_back();
  phase.name = "run";
  phase.end = 20;
  record.pieces.resize(2);
  // More than a block, so that one stands before the samples.
  for (uint64_t i = 0; i < entries; ++i) {
    record.pieces[0].columns.times.push_back(3 + i);
    record.pieces[0].columns.ids.push_back(i % 2 == 0 ? 16777216 : -16777216);
  }
  record.pieces[1].columns.beside.samples = {{5, 5, 1, {}}, {9, 4, 2, {}}};
  return record.write();
}

constexpr StringLiteral yaml =
    "warpo-record: 1\nentries:\n- [0, 1]\n- [1, -1]\n- module: 3\n"
    "- linked: [3, 9, 8]\n- sample: [4, 4, 0, 5, x]\n- phase: [0, 9, run]\n";

TEST(Declarations, ComeOnceAndBeforeTheirEntries) {
  auto reader = cantFail(openBytes(sampledRecord()));
  EXPECT_EQ(declaredBy(*reader), "module 7  +2; stream 0 main; stack 16777216 in 0; "
                                 "stack 0guest in 1; again stream 0 main each 1000; phase run");
  auto text = cantFail(openBytes(yaml.str()));
  EXPECT_EQ(declaredBy(*text),
            "stream 0 ; stream 1 ; module 3  +0; linked 9 8 in 3; stack 5 in 0; stack 0x in 1; "
            "phase run");
}

TEST(Declarations, PassReadersAroundReaders) {
  auto inner = cantFail(openBytes(sampledRecord()));
  const RecordHeader &header = inner->header();
  std::string expected = declaredBy(*cantFail(openBytes(sampledRecord())));
  OneStack stack(std::make_unique<ProbeSubtraction>(std::move(inner), RecordingEffects()), "in");
  EXPECT_EQ(&stack.header(), &header);
  EXPECT_EQ(declaredBy(stack), expected);
  EXPECT_EQ(header.streams[0].stack, 0u);
}

TEST(Declarations, OfSeveralRecordsAreTranslated) {
  std::vector<MergedRecord::Part> parts;
  parts.push_back({cantFail(openBytes(yaml.str())), "a", TimeScale()});
  parts.push_back({cantFail(openBytes(sampledRecord())), "b", TimeScale()});
  auto merged = cantFail(MergedRecord::create(std::move(parts)));
  EXPECT_EQ(declaredBy(*merged),
            "module 7  +2; stream 0 a; stream 1 a; stream 2 b: main; module 3  +0; "
            "linked 9 8 in 3; stack 5 in 0; stack 0x in 1; phase run of a; "
            "again stream 2 b: main each 1000; stack 16777216 in 0; "
            "stack 0guest in 3; phase run of b");
}

/// Calls on two streams, in blocks one behind the other, and phases at the end.
std::string longRecord() {
  Written record;
  record.header.streams.push_back({7, "main"});
  record.header.streams.push_back({8, "late"});
  for (uint64_t i = 0; i < 40; ++i) {
    Written::Piece &piece = record.pieces.emplace_back();
    piece.stream = i < 30 ? 0 : 1;
    for (uint64_t event = 0; event < 2000; ++event) {
      piece.columns.times.push_back(i * 10000000 + event * 5000);
      piece.columns.ids.push_back(event % 2 == 0 ? 16777216 : -16777216);
    }
  }
  for (const char *name : {"start", "run"}) {
    RecordedPhase &phase = record.header.phases.emplace_back();
    phase.name = name;
    phase.end = 1000;
  }
  return record.write();
}

// What is ahead is found in the input itself, which has no name to be opened by a second time.
TEST(Declarations, ComeAheadOfTheEntriesAndOnlyOnce) {
  for (const std::string &bytes : {longRecord(), sampledRecord(), yaml.str()}) {
    auto reader = cantFail(openBytes(bytes));
    DeclarationText heard;
    reader->observe(heard);
    EXPECT_TRUE(cantFail(reader->declareAhead()));
    size_t phases = reader->header().phases.size();
    size_t streams = reader->header().streams.size();
    EXPECT_GT(phases, 0u);
    EXPECT_EQ(heard.streams, streams);
    EXPECT_NE(heard.text.find("phase run"), std::string::npos);
    auto plain = cantFail(openBytes(bytes));
    RecordBatch batch, expected;
    while (cantFail(plain->next(expected))) {
      ASSERT_TRUE(cantFail(reader->next(batch)));
      EXPECT_EQ(batch.stream, expected.stream);
      EXPECT_EQ(batch.times, expected.times);
      EXPECT_EQ(batch.ids, expected.ids);
      EXPECT_EQ(batch.notes.size(), expected.notes.size());
      EXPECT_EQ(batch.beside.size(), expected.beside.size());
    }
    EXPECT_FALSE(cantFail(reader->next(batch)));
    EXPECT_EQ(reader->header().phases.size(), phases);
    EXPECT_EQ(plain->header().phases.size(), phases);
    EXPECT_EQ(plain->header().streams.size(), streams);
  }
}

// Of each length, and with one byte changed: nothing is declared twice, and the entries are those
// that are read without looking ahead.
TEST(Declarations, OfDamagedRecordsComeAheadToo) {
  std::string whole = sampledRecord(/*entries=*/4);
  for (size_t size = warpo_signature_size; size < whole.size(); ++size)
    for (bool isCut : {true, false}) {
      std::string bytes = whole.substr(0, isCut ? size : whole.size());
      if (!isCut)
        bytes[size] ^= 0x55;
      auto reader = openBytes(bytes);
      auto plain = openBytes(bytes);
      ASSERT_EQ(bool(reader), bool(plain));
      if (!reader) {
        consumeError(reader.takeError());
        consumeError(plain.takeError());
        continue;
      }
      EXPECT_TRUE(cantFail((*reader)->declareAhead()));
      auto outcome = [](RecordReader &reader) {
        RecordBatch batch;
        size_t entries = 0, beside = 0;
        while (true) {
          auto more = reader.next(batch);
          if (!more)
            return toString(more.takeError());
          if (!*more)
            break;
          entries += batch.size();
          beside += batch.beside.size();
        }
        const RecordHeader &header = reader.header();
        return (Twine(entries) + " " + Twine(beside) + " " + Twine(header.phases.size()) + " " +
                Twine(header.streams.size()) + " " + Twine(header.modules.size()) + " " +
                Twine(header.stacks.size()) + " " + Twine(header.switches.size()))
            .str();
      };
      EXPECT_EQ(outcome(**reader), outcome(**plain)) << size << ' ' << isCut;
    }
}

} // namespace
