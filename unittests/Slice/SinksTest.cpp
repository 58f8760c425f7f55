//===- SinksTest.cpp - No sink leaves out by default ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventWindow.h"
#include <gtest/gtest.h>
#include <type_traits>

using namespace llvm;
using namespace warpo;

namespace {

// Each has all but one function.
class OnlyEvents : public EventSink {
  Error events(const EventBatch &) override { return Error::success(); }
  Error finish() override { return Error::success(); }
};
static_assert(std::is_abstract_v<OnlyEvents>, "a sink says what becomes of side entries");

class OnlyEntries : public RecordWriter {
  Error write(const RecordBatch &) override { return Error::success(); }
  Error finish() override { return Error::success(); }
};
static_assert(std::is_abstract_v<OnlyEntries>, "a writer says what it leaves out");

class NoPhases : public DeclarationObserver {
  void declareModule(size_t, const RecordedModule &, ArrayRef<RecordedModule::Function>) override {}
  void declareLinkedFunctions(size_t, const RecordedModule &, ArrayRef<int32_t>) override {}
  void declarePlaces(size_t, const RecordedModule &) override {}
  void declareStream(StreamIndex, const StreamInfo &) override {}
  void declareStack(uint32_t, const RecordedStack &) override {}
};
static_assert(std::is_abstract_v<NoPhases>, "an observer knows every kind of declaration");

class Counter : public EventSink {
public:
  Error events(const EventBatch &batch) override {
    events_ += batch.events.size();
    return Error::success();
  }
  Error beside(const SideBatch &batch) override {
    beside_ += batch.entries.size();
    return Error::success();
  }
  Error finish() override {
    ++finished_;
    return Error::success();
  }
  bool done() const override { return events_ >= 2; }
  std::string text() const {
    return (Twine(events_) + " " + Twine(beside_) + " " + Twine(finished_)).str();
  }

private:
  size_t events_ = 0, beside_ = 0, finished_ = 0;
};

const Event call[] = {{5, 0, EventKind::begin}, {9, 0, EventKind::endReturned}};
const StackSample samples[] = {{3, 3, 0, {}}, {7, 4, 0, {}}, {30, 23, 0, {}}};

TEST(Sinks, HandOnWhatTheyDoNotChange) {
  Counter counter;
  ForwardingSink step(counter);
  EXPECT_FALSE(step.done());
  cantFail(step.events({0, call, {}}));
  cantFail(step.beside({0, {samples}}));
  cantFail(step.finish());
  EXPECT_EQ(counter.text(), "2 3 1");
  EXPECT_TRUE(step.done());
}

TEST(Sinks, ShowSideEntriesOfAWindow) {
  Counter counter;
  WindowLimits limits;
  // Counted from the first sample's begin, which is at 0.
  limits.from = 5;
  limits.to = 20;
  EventWindow window(limits, counter);
  cantFail(window.beside({0, {samples}}));
  EXPECT_EQ(counter.text(), "0 1 0");
  EXPECT_TRUE(window.ofNoSlice().words().empty());
}

TEST(Sinks, CountSideEntriesThatBelongToNoSlice) {
  struct {
    const char *name;
    std::optional<uint64_t> from, firstSlice, lastSlice;
    uint64_t maxSlices;
    const char *shown;
    std::vector<std::string> leftOut;
  } cases[] = {
      {"from a slice", {}, 2, {}, 0, "0 0 0", {"3 samples"}},
      {"to a slice", {}, {}, 2, 0, "0 0 0", {"3 samples"}},
      {"and from a time", 5, 2, {}, 0, "0 0 0", {"2 samples"}},
      {"a number of slices", {}, {}, {}, 2, "0 3 0", {}},
  };
  for (const auto &test : cases) {
    Counter counter;
    WindowLimits limits;
    limits.from = test.from;
    limits.firstSlice = test.firstSlice;
    limits.lastSlice = test.lastSlice;
    limits.maxSlices = test.maxSlices;
    EventWindow window(limits, counter);
    cantFail(window.beside({0, {samples}}));
    EXPECT_EQ(counter.text(), test.shown) << test.name;
    EXPECT_EQ(window.ofNoSlice().words(), test.leftOut) << test.name;
  }
}

} // namespace
