//===- PhaseTableTest.cpp - Phases and sections of runs, and their sums ---===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/Reports.h"
#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <limits>

using namespace warpo;

namespace {

uint64_t ticksOf(const Table &table, const Row &row) {
  return std::get<uint64_t>(row.cells[*table.findColumn("ticks")]);
}

std::string textOf(const Table &table, const Row &row, llvm::StringRef column) {
  return std::get<std::string>(row.cells[*table.findColumn(column)]);
}

TEST(PhaseTable, sumsWhatHasTheSameNameAndUnit) {
  RecordedPhase first{"load", 0, 0, "bytes", 2}, second{"load", 0, 0, "bytes", 3},
      other{"load", 0, 0, "files", 7};
  Table table =
      phaseTable({{"a", {first, other}, {}, {Measure()}}, {"b", {second}, {}, {Measure()}}});
  ASSERT_EQ(table.rows.size(), 6u);
  EXPECT_EQ(ticksOf(table, table.rows[3]), 5u);
  EXPECT_EQ(textOf(table, table.rows[3], "unit"), "bytes");
  EXPECT_EQ(ticksOf(table, table.rows[4]), 7u);
  EXPECT_EQ(textOf(table, table.rows[4], "unit"), "files");
}

TEST(PhaseTable, sumsEndAtTheLargestNumber) {
  RecordedPhase most{"load", 0, 0, "bytes", UINT64_MAX}, some{"load", 0, 0, "bytes", 5};
  Table table = phaseTable({{"a", {most}, {}, {Measure()}}, {"b", {some}, {}, {Measure()}}});
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(ticksOf(table, table.rows[2]), UINT64_MAX);
}

/// Seconds that the table of so many sections takes for each: of a processor, so that it does not
/// matter who else has work for it.
double timeForEach(unsigned count) {
  PhasesOfRun run{"a", {}, {}, {Measure()}};
  for (unsigned i = 0; i < count; ++i)
    run.sections.push_back({"section " + std::to_string(1000000 + i), 1, 0, {1}});
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 5; ++round) {
    timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    size_t rows = phaseTable({run}).rows.size();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    EXPECT_EQ(rows, count);
    least = std::min(least,
                     double(end.tv_sec - begin.tv_sec) + double(end.tv_nsec - begin.tv_nsec) / 1e9);
  }
  return least / count;
}

// A look through all names for each one would take a hundred times as long.
TEST(PhaseTable, manySectionsTakeNoLongerEach) {
  EXPECT_LT(timeForEach(100000), 30 * timeForEach(1000));
}

} // namespace
