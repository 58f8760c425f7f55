//===- ClockStopsTest.cpp - Steps of a clock that no function took --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ClockStops.h"
#include "warpo/Support/SectionId.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

constexpr uint64_t never = UINT64_MAX;
/// The least power of two above a millisecond.
constexpr uint64_t slice = 1 << 20;

/// Calls of a function, all within call 1, and what the clock shows later at the end of each, and
/// of the last one.
struct Calls {
  int32_t id;
  size_t count;
  uint64_t took;
  uint64_t last;
};

ClockWaits waits(ArrayRef<Calls> all, uint64_t recorder, std::optional<TimeScale> scale) {
  std::vector<uint64_t> times{0};
  std::vector<int32_t> ids{1};
  for (const Calls &calls : all)
    for (size_t i = 0; i < calls.count; ++i) {
      uint64_t now = times.back();
      ids.insert(ids.end(), {calls.id, -calls.id});
      times.insert(times.end(), {now, now + (i + 1 == calls.count ? calls.last : calls.took)});
    }
  if (recorder > 0) {
    ids.insert(ids.end(), {recordingId, -recordingId});
    times.insert(times.end(), {times.back(), times.back() + recorder});
  }
  ClockStops stops;
  // In two batches, so that what is carried over shows.
  size_t half = times.size() / 2;
  stops.add({0, ArrayRef(times).take_front(half), ArrayRef(ids).take_front(half), {}}, 0, scale);
  stops.add({0, ArrayRef(times).drop_front(half), ArrayRef(ids).drop_front(half), {}}, 0, scale);
  return stops.waits();
}

TEST(ClockStops, Table) {
  struct {
    const char *name;
    std::vector<Calls> calls;
    uint64_t recorder;
    /// The shortest wait within function 2, and the share of entries.
    uint64_t least;
    double share;
  } cases[] = {
      {"no long step", {{2, 100, 1000, 900000}}, 0, never, 0},
      {"far longer than others", {{2, 100, 1000, 3000000}}, 0, slice, 2.0 / 201},
      {"most take no time", {{2, 100, 0, 3000000}}, 0, slice, 1},
      {"not far longer than others", {{2, 100, 900000, 3000000}}, 0, never, 0},
      {"64 times as long as others", {{2, 1000, 40000, 4500000}}, 0, 1 << 22, 2.0 / 2001},
      {"too few calls", {{2, 60, 1000, 3000000}}, 0, never, 0},
      {"another function's", {{2, 100, 1000, 1000}, {3, 100, 1000, 3000000}}, 0, never, 2.0 / 401},
      {"a section may wait", {{firstSectionId, 100, 1000, 3000000}}, 0, never, 0},
      {"the recorder's time is none", {{2, 100, 1000, 1000}}, 3000000, never, 0},
      {"it stood still until the recorder came", {{2, 100, 0, 0}}, 3000000, never, 1},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    ClockWaits found = waits(test.calls, test.recorder, TimeScale());
    EXPECT_EQ(found.leastOf(2), test.least);
    EXPECT_NEAR(found.entryShare(), test.share, 0.005);
    EXPECT_EQ(found.areMost(), test.share > 0.25);
  }
}

TEST(ClockStops, NeedsTheScale) {
  EXPECT_EQ(waits({{2, 100, 1000, 3000000}}, 0, std::nullopt).leastOf(2), never);
}

} // namespace
