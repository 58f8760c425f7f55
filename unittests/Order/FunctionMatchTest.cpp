//===- FunctionMatchTest.cpp - Which functions recorded ones are ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/FunctionMatch.h"
#include "OrderText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

TEST(FunctionMatch, RepeatedNamesAreDistinguishedByTheirIds) {
  // func 0 is the import.
  OrderModule module = moduleOf({{"a"}, {"twin"}, {"b"}, {"twin"}, {"twin"}, {"c"}});
  struct Case {
    const char *name;
    std::vector<RecordedFunction> functions;
    const char *expected;
  } cases[] = {
      {"all",
       {{"a", 11}, {"twin", 12}, {"b", 13}, {"twin", 14}, {"twin", 15}, {"c", 16}},
       "1 2 3 4 5 6 "},
      {"in any order",
       {{"twin", 15}, {"c", 16}, {"twin", 12}, {"twin", 14}, {"b", 13}},
       "5 6 2 4 3 "},
      {"alone in a gap", {{"twin", 12}, {"b", 13}}, "2 3 "},
      {"one of two in a gap", {{"b", 13}, {"twin", 14}, {"c", 16}}, "3 - 6 "},
      {"one of three, no neighbours", {{"twin", 12}}, "- "},
      {"three without neighbours", {{"twin", 7}, {"twin", 5}, {"twin", 6}}, "5 2 4 "},
      {"unknown", {{"nobody", 11}, {"a", 12}}, "- 1 "},
      {"imported", {{"env.host", 10}}, "0 "},
      {"without ids", {{"a", 0}, {"twin", 0}}, "1 - "},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    std::string text;
    for (std::optional<uint32_t> function : matchFunctions(module, c.functions))
      text += (function ? std::to_string(*function) : "-") + " ";
    EXPECT_EQ(text, c.expected);
  }
}

TEST(FunctionMatch, OneMappingAfterAnother) {
  OrderModule module = moduleOf({{"a"}, {"b"}, {"twin"}, {"twin"}});
  FunctionMatcher matcher(module);
  std::vector<RecordedFunction> mappings[] = {
      {{"a", 1}, {"b", 2}, {"twin", 3}},
      {{"a", 1}, {"b", 2}, {"twin", 3}},
      {{"a", 1}, {"b", 3}, {"twin", 2}, {"twin", 4}},
      {{"b", 1}, {"b", 3}, {"twin", 2}, {"twin", 4}},
      {{"b", 1}},
      {},
  };
  for (const std::vector<RecordedFunction> &mapping : mappings)
    EXPECT_EQ(matcher.match(mapping).vec(), matchFunctions(module, mapping));
}

// A gap for each function, in each of which a long list of equal names was searched.
TEST(FunctionMatch, ManyEqualNames) {
  static constexpr uint32_t count = 300000;
  std::vector<TestFunction> functions;
  for (uint32_t i = 0; i != count; ++i)
    functions.push_back({i % 2 ? "twin" : "f" + std::to_string(i)});
  OrderModule module = moduleOf(functions);
  std::vector<RecordedFunction> recorded;
  for (uint32_t i = 0; i != count; ++i)
    recorded.push_back({functions[i].name, int32_t(i + 1)});
  auto matched = matchFunctions(module, recorded);
  for (uint32_t i = 0; i != count; ++i)
    ASSERT_EQ(matched[i], i + 1);
}

TEST(FunctionMatch, NamesAreReportedOnce) {
  OrderModule module = moduleOf({{"twin"}, {"twin"}});
  UnmatchedNames names;
  names.add("twin", module);
  names.add("gone", module);
  names.add("twin", module);
  EXPECT_EQ(names.messages(),
            (std::vector<std::string>{"no function is called 'gone'",
                                      "2 functions are called 'twin', and nothing says which was "
                                      "meant (--mapping with all functions may)"}));
}

} // namespace
