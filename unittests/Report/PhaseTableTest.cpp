//===- PhaseTableTest.cpp - Phases and sections of runs, and their sums ---===//

#include "warpo/Report/Reports.h"
#include <chrono>
#include <gtest/gtest.h>

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
  Table table = phaseTable({{"a", {first, other}, {}, {}}, {"b", {second}, {}, {}}});
  ASSERT_EQ(table.rows.size(), 6u);
  EXPECT_EQ(ticksOf(table, table.rows[3]), 5u);
  EXPECT_EQ(textOf(table, table.rows[3], "unit"), "bytes");
  EXPECT_EQ(ticksOf(table, table.rows[4]), 7u);
  EXPECT_EQ(textOf(table, table.rows[4], "unit"), "files");
}

TEST(PhaseTable, sumsEndAtTheLargestNumber) {
  RecordedPhase most{"load", 0, 0, "bytes", UINT64_MAX}, some{"load", 0, 0, "bytes", 5};
  Table table = phaseTable({{"a", {most}, {}, {}}, {"b", {some}, {}, {}}});
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(ticksOf(table, table.rows[2]), UINT64_MAX);
}

// A look through all names for each one would take minutes.
TEST(PhaseTable, manySectionsTakeNoLongerEach) {
  PhasesOfRun run{"a", {}, {}, {}};
  for (unsigned i = 0; i < 150000; ++i)
    run.sections.push_back({"section " + std::to_string(1000000 + i), 1, 0, 1});
  auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(phaseTable({run}).rows.size(), 150000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

} // namespace
