// SPDX-License-Identifier: Apache-2.0
// When samples are due: by fuel always at the same points, by time about as often as asked for, and
// what a timer does for that.
#include "warpo/Sampling/SampleTimer.h"

#include "gtest/gtest.h"
#include <thread>

using namespace warpo;
using std::chrono::nanoseconds;

namespace {

TEST(SampleClock, ByFuelItIsDueAtMultiples) {
  SamplingRequest request;
  request.everyFuel = 100;
  SampleTimes times({}, nanoseconds(1));
  SampleClock clock(request, times);
  struct {
    uint64_t fuel;
    bool isDue;
    uint64_t next;
  } questions[] = {{0, false, 100}, {103, true, 200}, {200, true, 300}, {750, true, 800}};
  for (const auto &question : questions) {
    EXPECT_EQ(clock.isDue(question.fuel, {}), question.isDue) << question.fuel;
    EXPECT_EQ(clock.next(), question.next) << question.fuel;
  }
}

/// Runs a program for a second that burns `fuelOf(time)` until then, and returns its samples.
template <typename FuelOf> unsigned samplesOfASecond(uint64_t frequency, FuelOf fuelOf) {
  SamplingRequest request;
  request.frequency = frequency;
  SampleTimes times({}, nanoseconds(request.periodNanoseconds()));
  SampleClock clock(request, times);
  unsigned samples = 0;
  for (uint64_t time = 0; time < 1000000000; time += 1000)
    if (uint64_t fuel = fuelOf(time); fuel >= clock.next())
      samples += clock.isDue(fuel, SampleClock::Time(nanoseconds(time)));
  return samples;
}

TEST(SampleClock, ByTimeItIsDueAboutAsOftenAsAskedFor) {
  for (uint64_t speed : {1, 10, 1000}) { // units a microsecond
    unsigned samples = samplesOfASecond(1000, [&](uint64_t time) { return time / 1000 * speed; });
    EXPECT_GT(samples, 600u) << speed;
    EXPECT_LE(samples, 1000u) << speed;
  }
  // A program that becomes a hundred times as fast, and one that becomes as slow.
  auto faster = [](uint64_t time) {
    return time < 500000000 ? time / 1000 : 500000 + (time - 500000000) / 10;
  };
  EXPECT_GT(samplesOfASecond(100, faster), 60u);
  auto slower = [](uint64_t time) {
    return time < 500000000 ? time / 10 : 50000000 + (time - 500000000) / 1000;
  };
  EXPECT_GT(samplesOfASecond(100, slower), 40u);
}

TEST(SampleTimes, WhatWasMissedIsNotMadeUpFor) {
  SampleTimes::Time begin(nanoseconds(1000));
  SampleTimes times(begin, nanoseconds(10));
  struct {
    uint64_t time;
    bool isDue;
  } questions[] = {{1000, false}, {1009, false}, {1010, true}, {1011, false},
                   {1045, true},  {1049, false}, {1050, true}, {900, false}};
  for (const auto &question : questions) {
    SampleTimes::Time now{nanoseconds(question.time)};
    EXPECT_EQ(times.areDue(now), question.isDue) << question.time;
    EXPECT_EQ(times.take(now), question.isDue) << question.time;
  }
}

TEST(SampleTimer, LowersThePointsOfAllInstancesAgainAndAgain) {
  uint64_t points[2] = {5, 5};
  SampleTimer timer(std::chrono::steady_clock::now(), nanoseconds(1000), {&points[0], &points[1]});
  for (uint64_t &point : points)
    for (int again = 0; again < 3; ++again) {
      __atomic_store_n(&point, 7, __ATOMIC_RELAXED);
      while (__atomic_load_n(&point, __ATOMIC_RELAXED) != 0)
        std::this_thread::yield();
    }
}

// A period is a millisecond. The next question comes half a period later at the speed since the
// last one, after at least 100 and at most four times as much as before.
TEST(SampleClock, ByTimeQuestionsFollowTheSpeed) {
  SamplingRequest request;
  request.frequency = 1000;
  SampleTimes times({}, nanoseconds(request.periodNanoseconds()));
  SampleClock clock(request, times);
  const struct {
    const char *name;
    uint64_t fuel;
    uint64_t microseconds;
    bool isDue;
    uint64_t next;
  } questions[] = {
      {"the first is none", 0, 0, false, 10000},
      {"four times as much at most", 10000, 100, false, 50000},
      {"half a period", 50000, 500, false, 100000},
      {"on the minute", 100000, 1000, true, 150000},
      {"after a wait", 150000, 5000, true, 156250},
      {"what was missed is not made up for", 156250, 5500, false, 162500},
      {"half a period late", 162500, 6500, true, 165625},
      {"the next is in time again", 165625, 7200, true, 167857},
      {"no time has passed", 167857, 7200, false, 176785},
      {"nothing has", 167857, 7200, false, 167957},
  };
  for (const auto &question : questions) {
    SampleClock::Time now(std::chrono::microseconds(question.microseconds));
    EXPECT_EQ(clock.isDue(question.fuel, now), question.isDue) << question.name;
    EXPECT_EQ(clock.next(), question.next) << question.name;
  }
}

} // namespace
