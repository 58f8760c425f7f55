//===- ProbeShareTest.cpp - How much of the time went into recording ------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeShare.h"
#include "warpo/Support/SectionId.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

struct Batch {
  StreamIndex stack;
  std::vector<uint64_t> times;
  /// As many as times; none: all of them begin function 1.
  std::vector<int32_t> ids = {};
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
      {"the recorder's own time is not the program's",
       {count, count},
       {{0, {0, 20, 20}, {1, 2, recordingId}}, {0, {80, 100}, {-recordingId, -2}}},
       5. / 40,
       5. / 40,
       10. / 40},
      {"an end of the recorder's time without a begin, and a stack that has no other",
       {count, count},
       {{0, {0, 10, 20}, {1, -recordingId, -1}}, {1, {9, 0, 90}, {recordingId, 1, -recordingId}}},
       6. / 20,
       6. / 20,
       12. / 20},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    ProbeShare share;
    for (const Batch &batch : test.batches) {
      std::vector<int32_t> ids = batch.ids;
      ids.resize(batch.times.size(), 1);
      share.add({batch.stack, batch.times, ids, {}}, batch.stack, std::nullopt);
    }
    ProbeShare::Share result = share.of(test.cost);
    EXPECT_DOUBLE_EQ(result.least, test.least);
    EXPECT_DOUBLE_EQ(result.likely, test.likely);
    EXPECT_DOUBLE_EQ(result.most, test.most);
  }
}

} // namespace
