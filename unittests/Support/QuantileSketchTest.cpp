//===- QuantileSketchTest.cpp - Against sorted numbers --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/QuantileSketch.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace warpo;

namespace {

uint64_t exactQuantile(std::vector<uint64_t> numbers, double share) {
  std::sort(numbers.begin(), numbers.end());
  auto rank = size_t(std::ceil(share * double(numbers.size())));
  return numbers[std::max<size_t>(rank, 1) - 1];
}

void expectClose(const QuantileSketch &sketch, const std::vector<uint64_t> &numbers) {
  ASSERT_EQ(sketch.count(), numbers.size());
  for (double share : {0.0, 0.01, 0.5, 0.9, 0.99, 1.0}) {
    uint64_t exact = exactQuantile(numbers, share);
    double error = std::fabs(double(sketch.quantile(share)) - double(exact));
    EXPECT_LE(error, double(exact) * QuantileSketch::relativeError)
        << "share " << share << " of " << numbers.size() << ", exactly " << exact;
  }
}

std::vector<uint64_t> randomNumbers(size_t count, unsigned bits, std::mt19937_64 &random) {
  std::vector<uint64_t> numbers(count);
  for (uint64_t &number : numbers)
    number = random() >> (64 - bits + random() % bits);
  return numbers;
}

TEST(QuantileSketch, isWithinItsError) {
  std::mt19937_64 random(1);
  for (size_t count : {1u, 2u, 15u, 16u, 17u, 18u, 1000u, 20000u})
    for (unsigned bits : {1u, 5u, 10u, 30u, 64u}) {
      QuantileSketch sketch;
      std::vector<uint64_t> numbers = randomNumbers(count, bits, random);
      for (uint64_t number : numbers)
        sketch.add(number);
      expectClose(sketch, numbers);
    }
}

TEST(QuantileSketch, fewNumbersAreExact) {
  QuantileSketch sketch;
  for (uint64_t number = 1; number <= 16; ++number)
    sketch.add(number * 1001);
  EXPECT_EQ(sketch.quantile(0.5), 8008u);
  EXPECT_EQ(sketch.quantile(1), 16016u);
}

TEST(QuantileSketch, ofNothingIsNothing) { EXPECT_EQ(QuantileSketch().quantile(0.5), 0u); }

TEST(QuantileSketch, mergesAsIfAllHadBeenAdded) {
  std::mt19937_64 random(2);
  for (size_t first : {0u, 3u, 16u, 500u})
    for (size_t second : {0u, 3u, 16u, 500u}) {
      std::vector<uint64_t> numbers = randomNumbers(first, 20, random);
      std::vector<uint64_t> others = randomNumbers(second, 40, random);
      QuantileSketch sketch, other;
      for (uint64_t number : numbers)
        sketch.add(number);
      for (uint64_t number : others)
        other.add(number);
      sketch.merge(other);
      numbers.insert(numbers.end(), others.begin(), others.end());
      if (numbers.empty())
        continue;
      // A merged number is the middle of its bucket already.
      ASSERT_EQ(sketch.count(), numbers.size());
      for (double share : {0.5, 0.99}) {
        auto exact = double(exactQuantile(numbers, share));
        EXPECT_NEAR(double(sketch.quantile(share)), exact,
                    2 * exact * QuantileSketch::relativeError + 1);
      }
    }
}

} // namespace
