//===- EventWindowTest.cpp - All windows of all short traces --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/EventWindow.h"
#include "EventText.h"
#include "warpo/Slice/EventBuilder.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

constexpr uint64_t start = 100;

/// The nested events of a trace of one stream whose entries are one count apart.
std::vector<Event> eventsOf(ArrayRef<int32_t> ids, FunctionTable &functions) {
  RepairCounts repairs;
  EventBuilder builder(0, start, functions.idsOf(0), repairs);
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] > 0)
      builder.begin(start + i, ids[i]);
    else
      builder.end(start + i, -ids[i]);
  builder.finish();
  return builder.batch().events.vec();
}

/// What the window keeps, computed of whole calls.
std::vector<Event> cutNaively(ArrayRef<Event> events, const WindowLimits &limits) {
  struct Call {
    size_t begin;
    size_t end;
    uint64_t slice;
  };
  std::vector<Call> calls;
  std::vector<size_t> open;
  uint64_t slices = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind == EventKind::begin) {
      if (open.empty())
        ++slices;
      open.push_back(calls.size());
      calls.push_back({i, 0, slices});
    } else {
      calls[open.back()].end = i;
      open.pop_back();
    }
  }
  uint64_t first = events.empty() ? 0 : events.front().time;
  uint64_t from = limits.from ? first + *limits.from : 0;
  uint64_t to = limits.to ? first + *limits.to : UINT64_MAX;
  std::vector<std::pair<size_t, Event>> kept;
  for (const Call &call : calls) {
    Event begin = events[call.begin];
    Event end = events[call.end];
    if (end.time < from || begin.time > to || call.slice < limits.firstSlice.value_or(1) ||
        call.slice > limits.lastSlice.value_or(UINT64_MAX))
      continue;
    begin.time = std::max(begin.time, from);
    if (end.time > to)
      end = {to, end.function, EventKind::endOpen};
    kept.push_back({call.begin, begin});
    kept.push_back({call.end, end});
  }
  // Cutting moves times but not the order.
  llvm::sort(kept, [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Event> result;
  for (const auto &[order, event] : kept)
    result.push_back(event);
  return result;
}

std::string print(ArrayRef<Event> events, const FunctionTable &functions) {
  EventText text(functions);
  cantFail(text.events({0, events, {}}));
  return text.text();
}

std::string cut(ArrayRef<Event> events, const WindowLimits &limits, size_t batchSize,
                const FunctionTable &functions) {
  EventText text(functions);
  EventWindow window(limits, text);
  for (; !events.empty() && !window.done();
       events = events.drop_front(std::min(batchSize, events.size())))
    cantFail(window.events({0, events.take_front(batchSize), {}}));
  cantFail(window.finish());
  return text.text();
}

TEST(EventWindow, timesOfAllShortTraces) {
  forAllTraces(5, 2, [](ArrayRef<int32_t> ids) {
    FunctionTable functions;
    std::vector<Event> events = eventsOf(ids, functions);
    for (uint64_t from = 0; from <= ids.size() + 1; ++from)
      for (uint64_t to = from; to <= ids.size() + 1; ++to)
        for (size_t batchSize : {1, 100}) {
          if (testing::Test::HasFailure())
            return;
          WindowLimits limits;
          limits.from = from;
          limits.to = to;
          EXPECT_EQ(cut(events, limits, batchSize, functions),
                    print(cutNaively(events, limits), functions))
              << "of " << print(events, functions) << " from " << from << " to " << to;
        }
  });
}

TEST(EventWindow, slicesOfAllShortTraces) {
  forAllTraces(6, 1, [](ArrayRef<int32_t> ids) {
    FunctionTable functions;
    std::vector<Event> events = eventsOf(ids, functions);
    for (uint64_t first = 1; first <= 4; ++first)
      for (uint64_t last = first; last <= 4; ++last)
        for (std::optional<uint64_t> from : {std::optional<uint64_t>(), {2}}) {
          if (testing::Test::HasFailure())
            return;
          WindowLimits limits;
          limits.from = from;
          limits.firstSlice = first;
          limits.lastSlice = last;
          EXPECT_EQ(cut(events, limits, 1, functions), print(cutNaively(events, limits), functions))
              << "of " << print(events, functions) << " slices " << first << " to " << last;
        }
  });
}

struct Window {
  const char *name;
  WindowLimits limits;
  const char *expected;
};
void PrintTo(const Window &window, std::ostream *os) { *os << window.name; }
class EventWindowOfTwoStreams : public testing::TestWithParam<Window> {};

// Two streams whose slices overlap: slice 1 of stream 0 from 100 to 110, slice 2 of stream 1 from
// 102 to 120, slice 3 of stream 0 from 112 to 118.
TEST_P(EventWindowOfTwoStreams, keepsWhatLiesInside) {
  FunctionTable functions;
  FunctionIndex a = functions.idsOf(0).find(1);
  FunctionIndex b = functions.idsOf(0).find(2);
  EventText text(functions);
  EventWindow window(GetParam().limits, text);
  const std::pair<StreamIndex, Event> events[] = {
      {0, {100, a, EventKind::begin}},       {1, {102, b, EventKind::begin}},
      {0, {110, a, EventKind::endReturned}}, {0, {112, a, EventKind::begin}},
      {0, {118, a, EventKind::endReturned}}, {1, {120, b, EventKind::endReturned}},
  };
  for (const auto &[stream, event] : events)
    if (!window.done())
      cantFail(window.events({stream, event, {}}));
  cantFail(window.finish());
  EXPECT_EQ(text.text(), GetParam().expected);
}

WindowLimits slices(uint64_t first, uint64_t last) {
  WindowLimits limits;
  limits.firstSlice = first;
  limits.lastSlice = last;
  return limits;
}
WindowLimits times(uint64_t from, uint64_t to) {
  WindowLimits limits;
  limits.from = from;
  limits.to = to;
  return limits;
}
WindowLimits most(uint64_t slices) {
  WindowLimits limits;
  limits.maxSlices = slices;
  return limits;
}

WindowLimits mostFrom(uint64_t slices, uint64_t from) {
  WindowLimits limits = most(slices);
  limits.from = from;
  return limits;
}

const Window windows[] = {
    {"secondSlice", slices(2, 2), "102+2 120-2"},
    {"lastSlices", slices(2, 3), "102+2 112+1 118-1 120-2"},
    {"spansTheWindow", times(3, 5), "103+1 105-1o 103+2 105-2o"},
    // The second slice has begun when the first ends.
    {"atMostOne", most(1), "100+1 102+2 110-1 110-2c"},
    // What ends before the window does not count.
    {"atMostOneFromALaterTime", mostFrom(1, 11), "112+1 118-1"},
};
INSTANTIATE_TEST_SUITE_P(Windows, EventWindowOfTwoStreams, testing::ValuesIn(windows),
                         [](const auto &info) { return info.param.name; });

// A call that is open at the window's start begins there, and one that a loss is the last of ends
// behind it.
TEST(EventWindow, timeDoesNotGoBackAtALoss) {
  FunctionTable functions;
  FunctionIndex a = functions.idsOf(0).find(1);
  EventText text(functions);
  WindowLimits limits;
  limits.from = 5;
  EventWindow window(limits, text);
  const Event events[] = {{100, a, EventKind::begin}};
  const LostRange lost[] = {{1, 110, 120, 3, noFunction}};
  cantFail(window.events({0, events, lost}));
  cantFail(window.finish());
  EXPECT_EQ(text.text(), "105+1 {110..120 x3} 120-1c");
}

} // namespace
