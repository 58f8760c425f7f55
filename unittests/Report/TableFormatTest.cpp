//===- TableFormatTest.cpp - Cells and names as people read them ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/TableFormat.h"
#include "../Support/ProcessorTime.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

TEST(FormatCell, hasItsKindsForm) {
  const Column time{"self", CellKind::weight, "ns"}, ticks{"self", CellKind::weight, "ticks"},
      change{"change", CellKind::change, "ns"}, share{"share", CellKind::share},
      shareChange{"share", CellKind::shareChange}, count{"calls", CellKind::count};
  EXPECT_EQ(formatCell(time, uint64_t(1234567)), "1.234 ms");
  EXPECT_EQ(formatCell(ticks, uint64_t(1234567)), "1,234,567");
  EXPECT_EQ(formatCell(count, uint64_t(1000)), "1,000");
  EXPECT_EQ(formatCell(share, 0.5), "50.0 %");
  EXPECT_EQ(formatCell(share, 1.0), "100 %");
  EXPECT_EQ(formatCell(change, int64_t(-1500)), "-1.500 us");
  EXPECT_EQ(formatCell(change, int64_t(0)), "0");
  EXPECT_EQ(formatCell(change, INT64_MIN), "-9,223,372,036 s");
  EXPECT_EQ(formatCell(shareChange, 0.0512), "+5.1 %");
  EXPECT_EQ(formatCell(shareChange, -12.0), "-1,200 %");
  EXPECT_EQ(formatCell(time, Cell()), "-");
}

TEST(FitName, leavesOutWhatSaysLeast) {
  EXPECT_EQ(fitName("short", 10), "short");
  EXPECT_EQ(fitName("Map<i32,String>#get(key)", 16), "Map<\u2026>#get(\u2026)");
  EXPECT_EQ(fitName("assembly/deep/folder/file/run", 12), "\u2026er/file/run");
  EXPECT_EQ(fitName("a::operator<(b const&, c)", 18), "a::operator<(\u2026)");
  EXPECT_EQ(fitName("<closure>::call_once_again", 12), "\u2026_once_again");
  EXPECT_EQ(fitName("\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc", 4), "\u2026\u00fc\u00fc\u00fc");
}

TEST(TableFormat, StacksKeepTheirInnermostFunctions) {
  struct {
    const char *stack;
    unsigned width;
    const char *expected;
  } const cases[] = {
      {"malloc < main", 16, "malloc < main"},
      {"malloc < grow < insert < main", 20, "malloc < grow < ..."},
      {"malloc < grow < insert < main < ...", 34, "malloc < grow < insert < ..."},
      {"malloc < grow < insert < main < ...", 35, "malloc < grow < insert < main < ..."},
      {"core::vec::Vec<T,A>::reserve < alloc < parser::Parser::parse_statement < main", 44,
       "\u2026<\u2026>::reserve < alloc < \u2026se_statement < main"},
      {"a::very::long::path::of::a::function < main", 16, "\u2026:function < ..."},
      {"(unknown stack)", 16, "(unknown stack)"},
      {"one_name_that_has_no_room_at_all", 16, "\u2026_no_room_at_all"},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.stack);
    EXPECT_EQ(fitStack(test.stack, test.width), test.expected);
    EXPECT_LE(textWidth(fitStack(test.stack, test.width)), test.width);
  }
}

TEST(FitName, isLinearInTheLengthOfTheName) {
  constexpr size_t length = 100000;
  auto repeated = [&](StringRef piece) {
    std::string name = "f";
    while (name.size() < length)
      name += piece;
    return name;
  };
  for (StringRef piece :
       {"abc", "<", "(", "<(", "f(x)", "operator<", "\u00fc", "\u4e2d", "e\u0301"}) {
    SCOPED_TRACE(piece.str());
    std::string name = repeated(piece), shown;
    double measuring = test::costOf([&] { EXPECT_GT(textWidth(name), 0u); });
    // Done for each character anew, it would cost ten thousand times as much.
    EXPECT_LT(test::costOf([&] { shown = fitName(name, 40); }), 100 * measuring);
    EXPECT_LE(textWidth(shown), 40u);
  }
}

TEST(SortRows, putsNothingLast) {
  Table table;
  table.columns = {{"n", CellKind::count}, {"name"}};
  table.rows = {{{Cell(), std::string("none")}},
                {{uint64_t(1), std::string("one")}},
                {{uint64_t(5), std::string("five")}}};
  sortRows(table, 0);
  EXPECT_EQ(std::get<std::string>(table.rows[0].cells[1]), "five");
  EXPECT_EQ(std::get<std::string>(table.rows[2].cells[1]), "none");
  sortRows(table, 1);
  EXPECT_EQ(std::get<std::string>(table.rows[0].cells[1]), "five");
  EXPECT_EQ(std::get<std::string>(table.rows[2].cells[1]), "one");
}

} // namespace
