//===- SharesTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Shares.h"
#include "warpo/Support/Errors.h"
#include "gtest/gtest.h"
#include <atomic>

using namespace llvm;
using namespace warpo;

TEST(SharesTest, EachItemIsInOneShare) {
  std::vector<uint64_t> weights{10, 0, 30, 5, 5, 50, 0, 1, 99};
  for (unsigned threads = 1; threads != 12; ++threads) {
    std::vector<Share> shares = divideIntoShares(weights, threads, /*least=*/1);
    EXPECT_LE(shares.size(), threads);
    uint32_t next = 0;
    uint64_t weight = 0;
    for (const Share &share : shares) {
      EXPECT_EQ(share.begin, next);
      EXPECT_LT(share.begin, share.end);
      next = share.end;
      weight += share.weight;
    }
    EXPECT_EQ(next, weights.size());
    EXPECT_EQ(weight, 200u);
  }
}

TEST(SharesTest, SharesAreOfAboutTheSameWeight) {
  std::vector<uint64_t> weights(1000, 7);
  std::vector<Share> shares = divideIntoShares(weights, 4, /*least=*/1);
  ASSERT_EQ(shares.size(), 4u);
  for (const Share &share : shares)
    EXPECT_NEAR(double(share.weight), 1750, 7);
}

TEST(SharesTest, LittleWorkIsOneShare) {
  std::vector<uint64_t> weights(10, 7);
  EXPECT_EQ(divideIntoShares(weights, 8, /*least=*/70).size(), 1u);
  EXPECT_EQ(divideIntoShares(weights, 8, /*least=*/35).size(), 2u);
  EXPECT_EQ(divideIntoShares({}, 8, /*least=*/1).size(), 1u);
}

TEST(SharesTest, AllAreCalledAndTheFirstErrorCounts) {
  for (size_t count : {0, 1, 2, 9}) {
    std::atomic<size_t> calls = 0;
    EXPECT_EQ(toString(workInParallel(count,
                                      [&](size_t) {
                                        ++calls;
                                        return Error::success();
                                      })),
              "");
    EXPECT_EQ(calls, count);
  }
  Error error = workInParallel(
      6, [](size_t i) { return i % 3 == 2 ? makeError("number " + Twine(i)) : Error::success(); });
  EXPECT_EQ(toString(std::move(error)), "number 2");
}
