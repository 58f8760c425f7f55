// SPDX-License-Identifier: Apache-2.0
// Samples of heap events stand for what happened: totals, and what is in use, without a bias.

#include "warpo/Recorder/heap_sampler.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

namespace {

constexpr uint64_t interval = 4096;

/// A program's heap, as a list of events.
std::vector<warpo_heap_event> makeProgram() {
  std::mt19937_64 random(1);
  std::vector<std::pair<uint64_t, uint64_t>> live;
  std::vector<warpo_heap_event> events;
  uint64_t next = 16;
  for (unsigned i = 0; i < 30000; ++i) {
    warpo_heap_event event = {};
    uint64_t what = random() % 8, size = uint64_t(1) << random() % 15;
    size += random() % size;
    size_t chosen = live.empty() ? 0 : random() % live.size();
    if (what < 4 || live.empty()) {
      event = {warpo_heap_allocate, 0, 0, 0, next, size, 0};
      live.push_back({next, size});
      next += 16;
    } else if (what < 7) {
      event = {warpo_heap_free, 0, 0, 0, live[chosen].first, 0, 0};
      live[chosen] = live.back();
      live.pop_back();
    } else {
      // In its place, or elsewhere.
      uint64_t address = random() % 2 ? live[chosen].first : next;
      event = {warpo_heap_reallocate, 0, 0, 0, address, size, live[chosen].first};
      live[chosen] = {address, size};
      next += 16;
    }
    events.push_back(event);
  }
  return events;
}

struct Sums {
  double allocatedBytes = 0, allocatedObjects = 0, usedBytes = 0, usedObjects = 0;
  static constexpr double Sums::*all[] = {&Sums::allocatedBytes, &Sums::allocatedObjects,
                                          &Sums::usedBytes, &Sums::usedObjects};
};

/// What the events that are recorded stand for, and the variance of that.
class Estimate {
public:
  void add(const warpo_heap_event &event, uint64_t every) {
    double chance = every == 0 ? 1 : 1 - std::exp(-double(event.size) / double(every));
    bool frees = event.operation == warpo_heap_free;
    if (frees || event.operation == warpo_heap_reallocate) {
      EXPECT_EQ(live_.erase(frees ? event.address : event.old), 1U)
          << "what was not chosen is not freed";
    }
    if (frees)
      return;
    allocated_[0] += double(event.size) / chance;
    allocated_[1] += 1 / chance;
    live_[event.address] = {double(event.size) / chance, 1 / chance};
  }
  Sums sums() const {
    Sums sums{.allocatedBytes = allocated_[0], .allocatedObjects = allocated_[1]};
    for (const auto &[address, weights] : live_) {
      sums.usedBytes += weights[0];
      sums.usedObjects += weights[1];
    }
    return sums;
  }

private:
  double allocated_[2] = {};
  std::map<uint64_t, std::vector<double>> live_;
};

Estimate record(const std::vector<warpo_heap_event> &events, uint64_t every, uint64_t seed) {
  warpo_heap_sampler sampler;
  warpo_heap_sampler_init(&sampler, every, seed);
  Estimate estimate;
  for (warpo_heap_event event : events)
    if (warpo_heap_sampler_takes(&sampler, &event, /*others_free=*/false))
      estimate.add(event, every);
  warpo_heap_sampler_free(&sampler);
  return estimate;
}

TEST(HeapSampler, totalsOfTwentySeedsAreThoseOfTheProgram) {
  std::vector<warpo_heap_event> events = makeProgram();
  Sums exact = record(events, 0, 0).sums();
  constexpr unsigned seeds = 20;
  std::vector<Sums> sampled;
  for (uint64_t seed = 1; seed <= seeds; ++seed)
    sampled.push_back(record(events, interval, seed).sums());
  for (double Sums::*sum : Sums::all) {
    double mean = 0, variance = 0;
    for (const Sums &one : sampled)
      mean += one.*sum / seeds;
    for (const Sums &one : sampled)
      variance += (one.*sum - mean) * (one.*sum - mean) / (seeds - 1);
    double sigma = std::sqrt(variance);
    for (const Sums &one : sampled)
      EXPECT_LE(std::abs(one.*sum - exact.*sum), 4 * sigma);
    EXPECT_LE(std::abs(mean - exact.*sum), 1.5 * sigma / std::sqrt(double(seeds)));
    EXPECT_LE(sigma, exact.*sum / 2);
  }
}

TEST(HeapSampler, theSeedDecides) {
  std::vector<warpo_heap_event> events = makeProgram();
  auto bytes = [&](uint64_t seed) { return record(events, interval, seed).sums().allocatedBytes; };
  EXPECT_EQ(bytes(7), bytes(7));
  EXPECT_NE(bytes(7), bytes(8));
}

/// Of a sampler that chooses nothing by itself, or everything.
class HeapSamplerOf {
public:
  explicit HeapSamplerOf(bool choosesAll) {
    warpo_heap_sampler_init(&sampler_, uint64_t(1) << 50, 0);
    choosesAll_ = choosesAll;
  }
  ~HeapSamplerOf() { warpo_heap_sampler_free(&sampler_); }
  HeapSamplerOf(const HeapSamplerOf &) = delete;
  HeapSamplerOf &operator=(const HeapSamplerOf &) = delete;

  void choose(bool all) { choosesAll_ = all; }
  /// The operation that is recorded, or -1.
  int take(warpo_heap_event event, bool othersFree = false) {
    sampler_.left = choosesAll_ ? 0 : 1e15;
    bool takes = warpo_heap_sampler_takes(&sampler_, &event, othersFree);
    last = event;
    return takes ? int(event.operation) : -1;
  }
  size_t kept() const { return sampler_.count; }
  size_t bytes() const { return sampler_.capacity * sizeof(*sampler_.objects); }
  warpo_heap_event last = {};

private:
  warpo_heap_sampler sampler_;
  bool choosesAll_;
};

warpo_heap_event allocation(uint64_t address, uint64_t size = 8) {
  return {warpo_heap_allocate, 0, 0, 0, address, size, 0};
}
warpo_heap_event freeing(uint64_t address, uint64_t memory = 0) {
  return {warpo_heap_free, 0, 0, memory, address, 0, 0};
}
warpo_heap_event moving(uint64_t old, uint64_t address) {
  return {warpo_heap_reallocate, 0, 0, 0, address, 8, old};
}

TEST(HeapSampler, whatIsReallocatedIsRecordedAsFarAsItWasChosen) {
  HeapSamplerOf heap(true);
  EXPECT_EQ(heap.take(allocation(16)), warpo_heap_allocate);
  EXPECT_EQ(heap.take(moving(16, 32)), warpo_heap_reallocate);
  EXPECT_EQ(heap.take(moving(999, 48)), warpo_heap_allocate) << "it was not chosen before";
  heap.choose(false);
  EXPECT_EQ(heap.take(moving(32, 64)), warpo_heap_free);
  EXPECT_EQ(heap.last.address, 32U);
  EXPECT_EQ(heap.take(moving(64, 80)), -1);
  EXPECT_EQ(heap.take(moving(48, 0)), -1) << "it failed, and the block is as it was";
  EXPECT_EQ(heap.take(freeing(48, 1)), -1) << "of another memory";
  EXPECT_EQ(heap.take(freeing(48)), warpo_heap_free);
  EXPECT_EQ(heap.take(freeing(48)), -1);
  EXPECT_EQ(heap.kept(), 0U);
}

TEST(HeapSampler, whatOtherThreadsMayHaveChosenIsFreed) {
  HeapSamplerOf heap(false);
  EXPECT_EQ(heap.take(freeing(16), /*othersFree=*/true), warpo_heap_free);
  EXPECT_EQ(heap.take(moving(16, 32), /*othersFree=*/true), warpo_heap_free);
  heap.choose(true);
  EXPECT_EQ(heap.take(moving(16, 32), /*othersFree=*/true), warpo_heap_reallocate);
}

TEST(HeapSampler, largestNumbers) {
  HeapSamplerOf heap(true);
  EXPECT_EQ(heap.take(allocation(UINT64_MAX, UINT64_MAX)), warpo_heap_allocate);
  EXPECT_EQ(heap.take(allocation(0, UINT32_MAX)), warpo_heap_allocate) << "it failed";
  EXPECT_EQ(heap.kept(), 1U);
  EXPECT_EQ(heap.take(freeing(UINT64_MAX)), warpo_heap_free);
}

TEST(HeapSampler, keepsManyObjectsInFewBytes) {
  HeapSamplerOf heap(true);
  constexpr uint64_t objects = 100000;
  for (uint64_t i = 1; i <= objects; ++i)
    heap.take(allocation(16 * i));
  EXPECT_EQ(heap.kept(), objects);
  EXPECT_LE(heap.bytes(), 48 * objects);
  // In an order that moves others.
  std::vector<uint64_t> order(objects);
  for (uint64_t i = 0; i < objects; ++i)
    order[i] = 16 * (i + 1);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  for (uint64_t address : order)
    ASSERT_EQ(heap.take(freeing(address)), warpo_heap_free);
  EXPECT_EQ(heap.kept(), 0U);
}

} // namespace
