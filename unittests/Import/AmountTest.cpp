//===- AmountTest.cpp - Weights as whole numbers --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Amount.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <limits>

using namespace llvm;
using namespace warpo;

static constexpr uint64_t most = std::numeric_limits<uint64_t>::max();

TEST(Amount, OfText) {
  EXPECT_EQ(amountInText("12"), 12U);
  EXPECT_EQ(amountInText("0"), 0U);
  EXPECT_EQ(amountInText("1.5", 1000), 1500U);
  EXPECT_EQ(amountInText("2.4"), 2U);
  EXPECT_EQ(amountInText("18446744073709551615"), most);
  EXPECT_EQ(amountInText("18446744073709551616"), most);
  EXPECT_EQ(amountInText("18446744073709551615", 2), most);
  for (const char *text : {"", "-1", "+1", "1e3", "x", "1.2.3", ".", "nan", "0x10", " 1"})
    EXPECT_EQ(amountInText(text), std::nullopt) << text;
}

TEST(Amount, OfNumbers) {
  EXPECT_EQ(amountOf(0.25, 1'000'000), 250'000U);
  EXPECT_EQ(amountOf(1e300), most);
  EXPECT_EQ(amountOf(0x1p64), most);
  EXPECT_EQ(amountOf(-0.0), 0U);
  EXPECT_EQ(amountOf(-0.5), std::nullopt);
  EXPECT_EQ(amountOf(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
  EXPECT_EQ(amountOf(std::numeric_limits<double>::infinity()), most);
  EXPECT_EQ(amountOf(int64_t(-1)), std::nullopt);
}

TEST(Amount, OfJson) {
  StringRef text = R"({"amounts": [9007199254740993, 18446744073709551616, 1.5e1, null, "1", -1]})";
  JsonDocument document = cantFail(JsonDocument::parse(arrayRefFromStringRef(text), "file"));
  JsonColumn amounts(document.root(), "amounts");
  std::optional<uint64_t> expected[] = {9007199254740993U, most,         15,
                                        std::nullopt,      std::nullopt, std::nullopt};
  ASSERT_EQ(amounts.size(), std::size(expected));
  for (size_t i = 0; i < amounts.size(); ++i)
    EXPECT_EQ(amountOf(amounts[i]), expected[i]) << i;
  EXPECT_EQ(amountOf(amounts[6]), std::nullopt);
}
