// SPDX-License-Identifier: Apache-2.0
// Arguments of --invoke: which texts are values of which types, and what is said of the others.
#include "ArgumentValues.h"

#include "gtest/gtest.h"

using namespace warpo;

namespace {

TEST(ArgumentValues, TextsAndBits) {
  struct {
    ValueType type;
    const char *text;
    std::optional<uint64_t> bits;
  } cases[] = {
      {ValueType::i32, "0", 0},
      {ValueType::i32, "+7", 7},
      {ValueType::i32, "-1", 0xffffffff},
      {ValueType::i32, "-2147483648", 0x80000000},
      {ValueType::i32, "-2147483649", std::nullopt},
      {ValueType::i32, "4294967295", 0xffffffff},
      {ValueType::i32, "4294967296", std::nullopt},
      {ValueType::i32, "0xFf", 255},
      {ValueType::i32, "-0x80000000", 0x80000000},
      {ValueType::i32, "", std::nullopt},
      {ValueType::i32, "-", std::nullopt},
      {ValueType::i32, "--1", std::nullopt},
      {ValueType::i32, "0x", std::nullopt},
      {ValueType::i32, "1.0", std::nullopt},
      {ValueType::i32, " 1", std::nullopt},
      {ValueType::i64, "-9223372036854775808", 0x8000000000000000},
      {ValueType::i64, "18446744073709551615", UINT64_MAX},
      {ValueType::i64, "18446744073709551616", std::nullopt},
      {ValueType::f32, "1.5", 0x3fc00000},
      {ValueType::f32, "-inf", 0xff800000},
      {ValueType::f32, "1e39", std::nullopt},
      {ValueType::f64, "+.5", 0x3fe0000000000000},
      {ValueType::f64, "-1e3", 0xc08f400000000000},
      {ValueType::f64, "0x1", std::nullopt},
      {ValueType::f64, "1,5", std::nullopt},
      {ValueType::other, "null", std::nullopt},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.text);
    auto values = parseArguments("f", {test.type}, {test.text});
    EXPECT_EQ(bool(values), test.bits.has_value());
    if (values)
      EXPECT_EQ(*values, std::vector<uint64_t>{*test.bits});
    else
      llvm::consumeError(values.takeError());
  }
}

TEST(ArgumentValues, Messages) {
  auto few = parseArguments("f", {ValueType::i32, ValueType::f64}, {"1"});
  EXPECT_EQ(llvm::toString(few.takeError()), "f takes 2 arguments (i32, f64), --arg gives 1");
  auto wrong = parseArguments("f", {ValueType::i32, ValueType::i64}, {"1", "x"});
  EXPECT_EQ(llvm::toString(wrong.takeError()), "argument 2 of f: 'x' is not a value of type i64");
}

} // namespace
