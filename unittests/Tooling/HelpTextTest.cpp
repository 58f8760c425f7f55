//===- HelpTextTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "common/HelpText.h"
#include "gtest/gtest.h"

using namespace warpo;

TEST(HelpText, BreaksBetweenWords) {
  const struct {
    const char *text;
    size_t firstWidth;
    size_t width;
    const char *expected;
  } cases[] = {
      {"", 10, 10, ""},
      {"one", 10, 10, "one"},
      {"one two", 7, 7, "one two"},
      {"one two", 6, 6, "one\ntwo"},
      {"one two three", 3, 9, "one\ntwo three"},
      {"one two three", 7, 3, "one two\nthree"},
      {"a-very-long-word b", 4, 4, "a-very-long-word\nb"},
      {"  one   two  ", 20, 20, "one two"},
  };
  for (const auto &test : cases)
    EXPECT_EQ(wrapText(test.text, test.firstWidth, test.width), test.expected) << test.text;
}
