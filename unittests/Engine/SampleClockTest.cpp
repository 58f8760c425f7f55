// When samples are due: by fuel always at the same points, by time about as often as asked for.
#include "Sampler.h"

#include "gtest/gtest.h"

using namespace warpo;
using std::chrono::nanoseconds;

namespace {

TEST(SampleClock, ByFuelItIsDueAtMultiples) {
  SamplingRequest request;
  request.everyFuel = 100;
  SampleClock clock(request);
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
  SampleClock clock(request);
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

} // namespace
