//===- ProbeShareTest.cpp - How much of the time went into recording ------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeShare.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

struct Batch {
  StreamIndex stack;
  std::vector<uint64_t> times;
};

TEST(ProbeShare, Table) {
  constexpr uint64_t count = ProbeCost::partsOfCount;
  struct {
    const char *name;
    ProbeCost cost;
    std::vector<Batch> batches;
    double expected;
  } cases[] = {
      {"nothing", {count, count}, {}, 0},
      {"samples only", {count, count}, {{0, {}}}, 0},
      {"no time passed", {count, count}, {{0, {7, 7}}}, 0},
      {"free", {0, 0}, {{0, {0, 10}}}, 0},
      {"begin and end differ", {3 * count, count}, {{0, {100, 110, 130, 140}}}, 4 * 2 / 40.0},
      {"several batches", {count, count}, {{0, {0, 5}}, {0, {10, 20}}}, 4 / 20.0},
      {"stacks last each", {count, count}, {{0, {0, 10}}, {1, {5, 15}}, {0, {20}}}, 5 / 30.0},
      {"never more than all", {90 * count, 90 * count}, {{0, {0, 10}}}, 1},
      {"parts of a count", {count / 2, count / 2}, {{0, {0, 4}}}, 1 / 4.0},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    ProbeShare share;
    for (const Batch &batch : test.batches) {
      std::vector<int32_t> ids(batch.times.size(), 1);
      share.add({batch.stack, batch.times, ids, {}}, batch.stack);
    }
    EXPECT_DOUBLE_EQ(share.of(test.cost), test.expected);
  }
}

} // namespace
