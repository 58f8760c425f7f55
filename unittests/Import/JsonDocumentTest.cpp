//===- JsonDocumentTest.cpp - JSON of other programs ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "JsonDocument.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

static JsonDocument parse(StringRef text) {
  return cantFail(JsonDocument::parse(arrayRefFromStringRef(text), "file"));
}

TEST(JsonDocument, MembersStandBehindNestedOnes) {
  JsonDocument document = parse(R"( {"a": {"c": [1, [2, {}], "x"]}, "b": 7, "\u0063": "\n☃"} )");
  JsonValue root = document.root();
  EXPECT_EQ(root["b"].natural(), 7U);
  EXPECT_EQ(root["c"].text(), "\n\xe2\x98\x83");
  JsonColumn column(root["a"], "c");
  ASSERT_EQ(column.size(), 3U);
  EXPECT_EQ(column.number(0), 1U);
  EXPECT_EQ(JsonColumn(column[1]).number(0), 2U);
  EXPECT_TRUE(JsonColumn(column[1])[1].isObject());
  EXPECT_EQ(column.text(2), "x");
  EXPECT_FALSE(column[3]);
}

TEST(JsonDocument, WhatIsMissingIsNothing) {
  JsonDocument document = parse(R"({"a": null, "b": true, "c": [], "d": {}})");
  JsonValue root = document.root();
  EXPECT_TRUE(root["a"].isNull());
  EXPECT_FALSE(root["e"]);
  EXPECT_FALSE(root["e"]["f"]["g"]);
  for (StringRef key : {"a", "b", "c", "d", "e"}) {
    EXPECT_FALSE(root[key]["x"]);
    EXPECT_EQ(root[key].number(), std::nullopt);
    EXPECT_EQ(root[key].string(), std::nullopt);
    EXPECT_EQ(JsonColumn(root, key).size(), 0U);
  }
}

TEST(JsonDocument, Numbers) {
  JsonDocument document = parse(
      R"({"n": [0, -1, 3.0, 2.5, 9223372036854775807, 9223372036854775808, 1e3, -1e999, "5"]})");
  JsonColumn numbers(document.root(), "n");
  auto none = std::nullopt;
  std::optional<int64_t> integers[] = {0, -1, 3, none, INT64_MAX, none, 1000, none, none};
  std::optional<uint64_t> naturals[] = {0,          none, none, none, INT64_MAX,
                                        1ULL << 63, none, none, none};
  for (size_t i = 0; i < std::size(integers); ++i) {
    EXPECT_EQ(numbers[i].integer(), integers[i]) << i;
    EXPECT_EQ(numbers[i].natural(), naturals[i]) << i;
  }
  EXPECT_EQ(numbers[3].number(), 2.5);
  EXPECT_EQ(numbers[7].number(), -std::numeric_limits<double>::infinity());
}
