//===- NestingTest.cpp - All short traces against a naive replay ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The naive replay writes the table of EventBuilder.h down once more, as plainly as can be.
//
//===----------------------------------------------------------------------===//

#include "EventText.h"
#include "warpo/Slice/NestingReplay.h"
#include "warpo/Slice/Slicer.h"
#include "warpo/Slice/Slicing.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

/// Gives one stream of entries, in batches of a given size, with events lost before one of them.
class TraceReader : public RecordSource {
public:
  TraceReader(ArrayRef<int32_t> ids, size_t batchSize, std::optional<size_t> lossBefore)
      : ids_(ids.vec()), batchSize_(batchSize), lossBefore_(lossBefore) {
    addStream({0, ""});
    for (size_t i = 0; i < ids_.size(); ++i)
      times_.push_back(timeOf(i));
  }
  static uint64_t timeOf(size_t index) { return 10 + index; }

  Expected<bool> next(RecordBatch &batch) override {
    if (at_ > ids_.size() || (at_ == ids_.size() && (!lossBefore_ || *lossBefore_ < at_)))
      return false;
    size_t count = std::min(batchSize_, ids_.size() - at_);
    notes_.clear();
    if (lossBefore_ && *lossBefore_ >= at_ &&
        (*lossBefore_ < at_ + count || at_ + count == ids_.size())) {
      notes_.push_back({uint32_t(*lossBefore_ - at_), NoteKind::lost, 2, "here"});
      lossBefore_.reset();
    }
    batch = {0, ArrayRef(times_).slice(at_, count), ArrayRef(ids_).slice(at_, count), notes_};
    at_ += count;
    return true;
  }
  std::string placeOf(size_t index) const override { return std::to_string(index); }
  uint64_t bytesRead() const override { return 0; }
  std::optional<uint64_t> inputSize() const override { return std::nullopt; }

private:
  std::vector<int32_t> ids_;
  std::vector<uint64_t> times_;
  std::vector<RecordNote> notes_;
  size_t batchSize_;
  std::optional<size_t> lossBefore_;
  size_t at_ = 0;
};

struct Outcome {
  std::string events;
  uint64_t endsWithoutBegin = 0;
  uint64_t unwound = 0;
  uint64_t open = 0;
  bool operator==(const Outcome &) const = default;
};

void PrintTo(const Outcome &outcome, std::ostream *os) {
  *os << '"' << outcome.events << "\", " << outcome.endsWithoutBegin << " without begin, "
      << outcome.unwound << " unwound, " << outcome.open << " open";
}

/// `traps`: the function that stands for traps, 0 for none.
Outcome replayNaively(ArrayRef<int32_t> ids, std::optional<size_t> lossBefore, int32_t traps = 0) {
  Outcome outcome;
  std::vector<int32_t> stack;
  int trapsBefore = 0;
  auto put = [&](const std::string &text) {
    outcome.events.append(outcome.events.empty() ? "" : " ").append(text);
  };
  auto putEvent = [&](uint64_t time, const char *sign, int32_t id, const char *cause) {
    put((Twine(time) + sign + Twine(id) + cause).str());
  };
  auto putRange = [&](uint64_t from, uint64_t to, const Twine &what) {
    put(("{" + Twine(from) + ".." + Twine(to) + what + "}").str());
  };
  uint64_t last = ids.empty() ? 0 : TraceReader::timeOf(0);
  for (size_t i = 0; i < ids.size(); ++i) {
    uint64_t time = TraceReader::timeOf(i);
    bool isLoss = lossBefore == i;
    if (isLoss) {
      putRange(last, time, " x2");
      last = time;
    }
    if (ids[i] == traps) {
      trapsBefore = std::min(trapsBefore + 1, 2);
      continue;
    }
    int trapped = std::exchange(trapsBefore, 0);
    if (ids[i] > 0) {
      putEvent(time, "+", ids[i], "");
      stack.push_back(ids[i]);
    } else if (long open = std::count(stack.begin(), stack.end(), -ids[i]);
               trapped > 0 && open > 0) {
      for (long left = trapped > 1 ? open : 1; left > 0; stack.pop_back()) {
        left -= stack.back() == -ids[i];
        putEvent(last, "-", stack.back(), "t");
      }
    } else if (std::count(stack.begin(), stack.end(), -ids[i]) == 0) {
      putRange(last, time, " of " + Twine(-ids[i]));
      ++outcome.endsWithoutBegin;
    } else {
      for (; stack.back() != -ids[i]; stack.pop_back(), ++outcome.unwound)
        putEvent(time, "-", stack.back(), "u");
      putEvent(time, "-", stack.back(), "");
      stack.pop_back();
    }
    last = time;
  }
  if (lossBefore == ids.size())
    putRange(last, last, " x2");
  for (; !stack.empty(); stack.pop_back(), ++outcome.open)
    putEvent(last, "-", stack.back(), "o");
  return outcome;
}

Outcome slice(ArrayRef<int32_t> ids, StringRef slicerName, size_t batchSize,
              std::optional<size_t> lossBefore) {
  FunctionTable functions;
  TraceReader reader(ids, batchSize, lossBefore);
  auto slicer = cantFail(warpo::Registry<Slicer>::create(slicerName));
  EventText sink(functions);
  DamageReport damage;
  SlicingResult result =
      cantFail(sliceRecord(reader, functions, *slicer, sink, damage,
                           [](const RecordBatch &) { return Error::success(); }));
  EXPECT_EQ(result.entries, ids.size());
  return {sink.text(), result.repairs.endsWithoutBegin, result.repairs.unwoundCalls,
          result.repairs.openCalls};
}

std::string print(ArrayRef<int32_t> ids) {
  std::string text;
  for (int32_t id : ids)
    text.append(1, ' ').append(std::to_string(id));
  return text;
}

/// Of events as text, those at depth 0, and every lost range.
std::string outermost(StringRef events) {
  std::string expected;
  int depth = 0;
  SmallVector<StringRef> words;
  events.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (size_t i = 0; i < words.size(); ++i) {
    std::string word = words[i].str();
    if (words[i].starts_with("{"))
      for (; !StringRef(word).ends_with("}");)
        word.append(" ").append(words[++i]);
    else if (words[i].contains('+') ? depth++ > 0 : --depth > 0)
      continue;
    expected.append(expected.empty() ? "" : " ").append(word);
  }
  return expected;
}

TEST(Nesting, aTrapEndsWhatItTookAtTheLastKnownTime) {
  constexpr int32_t trap = trapId;
  struct {
    std::vector<int32_t> ids;
    const char *events;
    uint64_t endsWithoutBegin = 0;
    std::optional<size_t> lossBefore = {};
  } cases[] = {
      {{1, trap, -1}, "10+1 10-1t"},
      {{1, 2, 3, trap, -2, 4, -4, -1}, "10+1 11+2 12+3 12-3t 12-2t 15+4 16-4 17-1"},
      {{1, 1, trap, -1, trap, -1}, "10+1 11+1 11-1t 13-1t"},
      {{1, 2, trap, -2, trap, -1}, "10+1 11+2 11-2t 13-1t"},
      {{1, trap, 2, -2, -1}, "10+1 12+2 13-2 14-1"},
      {{1, 2, 1, 3, trap, trap, -1}, "10+1 11+2 12+1 13+3 13-3t 13-1t 13-2t 13-1t"},
      {{2, 1, 3, trap, trap, -1, -2}, "10+2 11+1 12+3 12-3t 12-1t 16-2"},
      {{1, 1, trap, trap, trap, -1}, "10+1 11+1 11-1t 11-1t"},
      {{1, trap}, "10+1 10-1o"},
      {{1, trap, -2, -1}, "10+1 {10..12 of 2} 13-1", 1},
      {{1, trap, -1}, "10+1 {10..12 x2} 12-1", 0, 2},
  };
  for (const auto &testCase : cases)
    for (size_t batchSize : {1, 2, 100}) {
      Outcome outcome = slice(testCase.ids, "calls", batchSize, testCase.lossBefore);
      EXPECT_EQ(outcome.events, testCase.events) << print(testCase.ids);
      EXPECT_EQ(outcome.endsWithoutBegin, testCase.endsWithoutBegin);
      EXPECT_EQ(outcome.unwound, 0u);
    }
}

TEST(Nesting, callsOfAllShortTraces) {
  size_t count = 0;
  forAllTraces(6, 3, [&](ArrayRef<int32_t> ids) {
    ++count;
    if (HasFailure())
      return;
    EXPECT_EQ(slice(ids, "calls", 100, std::nullopt), replayNaively(ids, std::nullopt))
        << print(ids);
  });
  EXPECT_EQ(count, 55987u);
}

// Function 3 stands for traps, whose ends do not exist. Streams of several batches, and the other
// slicer, see the same.
TEST(Nesting, trapsInAllShortTraces) {
  forAllTraces(6, 3, [&](ArrayRef<int32_t> trace) {
    if (HasFailure() || is_contained(trace, -3))
      return;
    Outcome expected = replayNaively(trace, std::nullopt, 3);
    std::vector<int32_t> ids = trace.vec();
    std::replace(ids.begin(), ids.end(), 3, trapId);
    for (size_t batchSize : {1, 2, 100})
      EXPECT_EQ(slice(ids, "calls", batchSize, std::nullopt), expected) << print(trace);
    EXPECT_EQ(slice(ids, "host-calls", 2, std::nullopt).events, outermost(expected.events))
        << print(trace);
  });
}

TEST(Nesting, eventsDoNotDependOnBatches) {
  forAllTraces(5, 2, [&](ArrayRef<int32_t> ids) {
    Outcome whole = replayNaively(ids, std::nullopt);
    for (size_t batchSize = 1; batchSize < 5 && !HasFailure(); ++batchSize)
      EXPECT_EQ(slice(ids, "calls", batchSize, std::nullopt), whole) << print(ids);
  });
}

TEST(Nesting, lossesAnywhere) {
  forAllTraces(4, 2, [&](ArrayRef<int32_t> ids) {
    for (size_t loss = 0; loss <= ids.size() && !ids.empty(); ++loss)
      for (size_t batchSize : {1, 3, 100})
        if (!HasFailure()) {
          EXPECT_EQ(slice(ids, "calls", batchSize, loss), replayNaively(ids, loss))
              << print(ids) << ", loss before " << loss << ", batches of " << batchSize;
        }
  });
}

TEST(Nesting, hostCallsAreTheOutermostCalls) {
  forAllTraces(5, 2, [&](ArrayRef<int32_t> ids) {
    if (HasFailure())
      return;
    Outcome all = replayNaively(ids, std::nullopt);
    std::string expected = outermost(all.events);
    for (size_t batchSize : {1, 3, 100}) {
      Outcome host = slice(ids, "host-calls", batchSize, std::nullopt);
      EXPECT_EQ(host.events, expected) << print(ids);
      EXPECT_EQ(host.endsWithoutBegin, all.endsWithoutBegin) << print(ids);
      EXPECT_EQ(host.unwound, all.unwound) << print(ids);
      EXPECT_EQ(host.open, all.open) << print(ids);
    }
  });
}

TEST(Nesting, replaySaysWhereEachEntryStands) {
  forAllTraces(5, 2, [&](ArrayRef<int32_t> ids) {
    FunctionTable functions;
    RecordHeader header;
    header.streams.push_back({0, ""});
    NestingReplay replay(functions, header);
    std::vector<int32_t> stack;
    std::vector<uint64_t> times(ids.size(), 7);
    size_t met = 0;
    replay.replay(
        {0, times, ids, {}}, [](const RecordNote &) { FAIL(); },
        [&](const NestedEntry &entry) {
          EXPECT_EQ(entry.index, met);
          int32_t id = ids[met++];
          EXPECT_EQ(entry.begins, id > 0);
          EXPECT_EQ(functions[entry.function].id, std::abs(id));
          EXPECT_EQ(entry.top == noFunction ? 0 : functions[entry.top].id,
                    stack.empty() ? 0 : stack.back());
          auto open = std::find(stack.rbegin(), stack.rend(), std::abs(id));
          EXPECT_EQ(entry.matched, id > 0 || open != stack.rend());
          if (id > 0 || !entry.matched) {
            EXPECT_EQ(entry.depth, stack.size());
            EXPECT_TRUE(entry.unwound.empty());
            if (id > 0)
              stack.push_back(id);
            return;
          }
          EXPECT_EQ(entry.unwound.size(), size_t(open - stack.rbegin()));
          for (FunctionIndex function : llvm::reverse(entry.unwound)) {
            EXPECT_EQ(functions[function].id, stack.back());
            stack.pop_back();
          }
          stack.pop_back();
          EXPECT_EQ(entry.depth, stack.size());
        });
    EXPECT_EQ(met, ids.size());
    EXPECT_EQ(replay.openCalls(0).size(), stack.size());
  });
}

} // namespace
