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
    double least, likely, most;
  } cases[] = {
      {"nothing", {count, count}, {}, 0, 0, 0},
      {"samples only", {count, count}, {{0, {}}}, 0, 0, 0},
      {"no time passed", {count, count}, {{0, {7, 7}}}, 0, 0, 0},
      {"free", {0, 0}, {{0, {0, 10}}}, 0, 0, 0},
      {"begin and end differ", {3 * count, count}, {{0, {0, 10, 20, 30, 40}}}, .25, .25, .5},
      {"several batches", {count, count}, {{0, {0, 5}}, {0, {10, 15, 20}}}, .25, .25, .5},
      {"stacks last each",
       {count, count},
       {{0, {0}}, {1, {5, 15, 25}}, {0, {20}}},
       .125,
       .125,
       .25},
      {"never more than all", {90 * count, 90 * count}, {{0, {0, 10}}}, 1, 1, 1},
      {"parts of a count", {count / 2, count / 2}, {{0, {0, 4, 8}}}, 1.5 / 8, 1.5 / 8, 3 / 8.0},
      // Of 80 counts 60 are beyond what passes elsewhere.
      {"waited for a block",
       {count, count},
       {{0, {0, 80, 100, 120, 140}}},
       65. / 140,
       65. / 140,
       70. / 140},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    ProbeShare share;
    for (const Batch &batch : test.batches) {
      std::vector<int32_t> ids(batch.times.size(), 1);
      RecordBatch entries{batch.stack, batch.times, ids, {}};
      entries.beginsBlock = true;
      share.add(entries, batch.stack, std::nullopt);
    }
    ProbeShare::Share result = share.of(test.cost);
    EXPECT_DOUBLE_EQ(result.least, test.least);
    EXPECT_DOUBLE_EQ(result.likely, test.likely);
    EXPECT_DOUBLE_EQ(result.most, test.most);
  }
}

} // namespace
