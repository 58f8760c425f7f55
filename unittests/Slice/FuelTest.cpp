//===- FuelTest.cpp - What is said of times holds for fuel ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The oracle is time itself: if each entry's fuel is its time, then all that is made of fuel must
// be what is made of time.
//
//===----------------------------------------------------------------------===//

#include "EventText.h"
#include "warpo/Slice/CallTree.h"
#include "warpo/Slice/EventWindow.h"
#include "warpo/Slice/Slicing.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

struct Entry {
  uint64_t time;
  int32_t id;
  uint64_t fuel;
};

/// Gives one stream, in batches of a given size, with its fuel and, as the last of so many columns,
/// twice as many bytes.
class EntryReader : public RecordSource {
public:
  EntryReader(ArrayRef<Entry> entries, size_t batchSize, std::optional<size_t> lossBefore = {},
              ColumnIndex columns = 1)
      : columns_(columns), batchSize_(batchSize), lossBefore_(lossBefore) {
    addStream({0, ""});
    addColumn(*Measure::ofClock("fuel"));
    for (ColumnIndex column = 1; column < columns; ++column)
      addColumn(*Measure::ofClock("bytes-" + std::to_string(column)));
    for (const Entry &entry : entries) {
      times_.push_back(entry.time);
      ids_.push_back(entry.id);
      fuel_.push_back(entry.fuel);
      bytes_.push_back(2 * entry.fuel);
    }
  }
  Expected<bool> next(RecordBatch &batch) override {
    if (at_ == ids_.size())
      return false;
    size_t count = std::min(batchSize_, ids_.size() - at_);
    notes_.clear();
    if (lossBefore_ && *lossBefore_ >= at_ && *lossBefore_ < at_ + count)
      notes_.push_back({uint32_t(*lossBefore_ - at_), NoteKind::lost, 2, "here"});
    batch = {0, ArrayRef(times_).slice(at_, count), ArrayRef(ids_).slice(at_, count), notes_,
             ArrayRef(fuel_).slice(at_, count)};
    if (columns_ > 1)
      batch.counts.add(columns_ - 1, ArrayRef(bytes_).slice(at_, count));
    at_ += count;
    return true;
  }
  std::string placeOf(size_t index) const override { return std::to_string(index); }
  uint64_t bytesRead() const override { return 0; }
  std::optional<uint64_t> inputSize() const override { return std::nullopt; }

private:
  std::vector<uint64_t> times_;
  std::vector<int32_t> ids_;
  std::vector<uint64_t> fuel_;
  std::vector<uint64_t> bytes_;
  std::vector<RecordNote> notes_;
  ColumnIndex columns_;
  size_t batchSize_;
  std::optional<size_t> lossBefore_;
  size_t at_ = 0;
};

/// Expects that each event and each lost range has its times for fuel, and twice that for bytes.
class SameClocks : public ForwardingSink {
public:
  SameClocks(EventSink &next, ColumnIndex columns) : ForwardingSink(next), last_(columns - 1) {}
  Error events(const EventBatch &batch) override {
    expectTimes(batch, 0, 1);
    if (last_ > 0)
      expectTimes(batch, last_, 2);
    return next_.events(batch);
  }

private:
  static void expectTimes(const EventBatch &batch, ColumnIndex column, uint64_t factor) {
    ArrayRef<uint64_t> counts = batch.counts[column];
    EXPECT_EQ(counts.size(), batch.events.size());
    for (size_t i = 0; i < counts.size(); ++i)
      EXPECT_EQ(counts[i], factor * batch.events[i].time);
    for (const LostRange &range : batch.lost) {
      EXPECT_EQ(range.countsFrom[column], factor * range.from);
      EXPECT_EQ(range.countsTo[column], factor * range.to);
    }
  }

  ColumnIndex last_;
};

void slice(RecordReader &reader, FunctionTable &functions, StringRef slicerName, EventSink &sink) {
  auto slicer = cantFail(warpo::Registry<Slicer>::create(slicerName));
  DamageReport damage;
  cantFail(sliceRecord(reader, functions, *slicer, sink, damage,
                       [](const RecordBatch &) { return Error::success(); }));
}

void expectSameSums(const CallTree &tree, ColumnIndex columns) {
  EXPECT_TRUE(tree.size() == 1 || tree.hasColumn(0));
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    for (NodeIndex node = 0; node < tree.size(); ++node) {
      uint64_t factor = column == 0 ? 1 : column == columns - 1 ? 2 : 0;
      EXPECT_EQ(tree.selfCount(node, column), factor * tree[node].selfTime) << node;
    }
}

TEST(Fuel, IsRepairedAsTimeIs) {
  forAllTraces(4, 2, [&](ArrayRef<int32_t> ids) {
    std::vector<Entry> entries;
    for (size_t i = 0; i < ids.size(); ++i)
      entries.push_back({10 + i * i, ids[i], 10 + i * i});
    for (size_t loss = 0; loss <= ids.size(); ++loss)
      for (size_t batchSize : {1, 3})
        for (StringRef slicer : {"calls", "host-calls"})
          for (ColumnIndex columns : {1u, 2u, maxColumns}) {
            if (testing::Test::HasFailure())
              return;
            EntryReader reader(entries, batchSize, loss, columns);
            FunctionTable functions;
            CallTreeBuilder builder(functions, {});
            SameClocks same(builder, columns);
            slice(reader, functions, slicer, same);
            expectSameSums(builder.tree(), columns);
          }
  });
}

TEST(Fuel, WindowsOneAfterTheOtherAddUp) {
  std::vector<Entry> entries;
  for (uint64_t i = 0; i < 40; ++i)
    entries.push_back({100 + i * 7, i % 8 < 4 ? int32_t(i % 8 + 1) : -int32_t(8 - i % 8), i * i});
  for (uint64_t cut = 0; cut < 280; cut += 3) {
    uint64_t sum = 0;
    for (bool isFirst : {true, false}) {
      EntryReader reader(entries, 5, 17);
      FunctionTable functions;
      CallTreeBuilder builder(functions, {});
      WindowLimits limits;
      (isFirst ? limits.to : limits.from) = cut;
      EventWindow window(limits, builder);
      slice(reader, functions, "calls", window);
      for (NodeIndex node = 0; node < builder.tree().size(); ++node)
        sum += builder.tree().selfCount(node, 0);
    }
    // What was burnt between calls of the host is nobody's.
    uint64_t expected = 39 * 39;
    for (uint64_t i = 8; i < 40; i += 8)
      expected -= i * i - (i - 1) * (i - 1);
    EXPECT_EQ(sum, expected) << cut;
  }
}

/// `name:selfFuel/inclusiveFuel(callees)`, siblings in the order in which they were called first.
std::string sumsOf(const CallTree &tree, const FunctionTable &functions,
                   NodeIndex parent = CallTree::root) {
  std::vector<uint64_t> inclusive;
  for (NodeIndex node = 0; node < tree.size(); ++node)
    inclusive.push_back(tree.selfCount(node, 0));
  for (auto node = NodeIndex(tree.size()); node-- > 1;)
    inclusive[tree[node].parent] += inclusive[node];
  std::string text;
  for (NodeIndex node = 1; node < tree.size(); ++node) {
    if (tree[node].parent != parent)
      continue;
    int32_t id = functions[tree[node].function].id;
    text += (text.empty() ? "" : " ") + std::string(1, char('a' + id - 1)) + ":" +
            std::to_string(tree.selfCount(node, 0)) + "/" + std::to_string(inclusive[node]);
    if (std::string below = sumsOf(tree, functions, node); !below.empty())
      text += "(" + below + ")";
  }
  return text;
}

constexpr int32_t f = 6, g = 7, h = 8;

struct Example {
  const char *name;
  std::vector<Entry> entries;
  const char *sums;
};

class FuelOfCalls : public testing::TestWithParam<Example> {};

TEST_P(FuelOfCalls, IsSelfAndInclusive) {
  for (size_t batchSize : {1, 2, 100}) {
    EntryReader reader(GetParam().entries, batchSize);
    FunctionTable functions;
    CallTreeBuilder builder(functions, {});
    slice(reader, functions, "calls", builder);
    EXPECT_EQ(sumsOf(builder.tree(), functions), GetParam().sums);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Examples, FuelOfCalls,
    testing::Values(
        Example{"threeDeep",
                {{1, f, 0}, {1, g, 10}, {1, h, 30}, {1, -h, 60}, {1, -g, 100}, {1, -f, 160}},
                "f:70/160(g:60/90(h:30/30))"},
        Example{"recursion",
                {{1, f, 0}, {1, f, 10}, {1, g, 30}, {1, -g, 60}, {1, -f, 100}, {1, -f, 160}},
                "f:70/160(f:60/90(g:30/30))"},
        Example{"closedByALaterEnd",
                {{1, f, 0}, {1, g, 10}, {1, h, 30}, {1, -f, 160}},
                "f:10/160(g:20/150(h:130/130))"},
        Example{"openAtTheEnd", {{1, f, 0}, {1, g, 10}, {1, h, 30}}, "f:10/30(g:20/20(h:0/0))"},
        Example{"twoRoots",
                {{1, f, 5}, {1, -f, 25}, {1, g, 100}, {1, h, 103}, {1, -h, 104}, {1, -g, 106}},
                "f:20/20 g:5/6(h:1/1)"},
        Example{"timesAndFuelApart",
                {{10, f, 7}, {20, g, 7}, {90, -g, 7}, {90, -f, 12}},
                "f:5/5(g:0/0)"}),
    [](const auto &info) { return info.param.name; });

} // namespace
