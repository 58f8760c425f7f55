// SPDX-License-Identifier: Apache-2.0
#include "ProfileText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

TEST(FoldedBackend, NamesAreSafeForEveryReader) {
  const std::pair<StringRef, StringRef> cases[] = {
      {"plain", "plain"},
      {"with spaces(and, more) const", "with spaces(and, more) const"},
      {"a;b", "a:b"},
      {";", ":"},
      {"a\nb\r\nc\td", "a b  c d"},
      {StringRef("a\0b\x1b[31m\x7f", 9), "a b [31m"},
      {"next\u0085line\u2028and\u2029paragraph", "next line and paragraph"},
      {"", "[unknown]"},
      {" \t ", "[unknown]"},
      {"  trimmed  ", "trimmed"},
      {"op 2", "op #2"},
      {"op 2.5", "op #2.5"},
      {"op 2.", "op #2."},
      {"op  17 ", "op  #17"},
      {"op\t3", "op #3"},
      {"function 16777216", "function #16777216"},
      {"op 2x", "op 2x"},
      {"op2", "op2"},
      {"42", "42"},
      {"#main", "_#main"},
      {"a#main", "a#main"},
      {"\xff"
       "broken\xc3",
       "\ufffd"
       "broken\ufffd"},
      {"naïve ✓", "naïve ✓"},
  };
  for (const auto &[name, frame] : cases) {
    ProfileInputs inputs;
    inputs.add({"main", name, "leaf"}, 7);
    EXPECT_EQ(write(inputs.profile(), "folded"), ("main;" + frame + ";leaf 7\n").str());
    ProfileInputs alone;
    alone.add({name}, 1);
    EXPECT_EQ(write(alone.profile(), "folded"), (frame + " 1\n").str());
  }
}

TEST(FoldedBackend, WritesEachStackOnceWithItsOwnWeight) {
  ProfileInputs inputs;
  inputs.add({"main"}, 10);
  inputs.add({"main", "b"}, 0, 5);
  inputs.add({"main", "b", "c"}, 3);
  inputs.add({"main", "a;x"}, 2);
  inputs.add({"main", "a;x", "d"}, 1);
  inputs.add({"main", "a:x"}, 4);
  inputs.add({"main", "a:x", "d"}, 8);
  inputs.add({"a"}, 1);
  EXPECT_EQ(write(inputs.profile(), "folded"), "a 1\n"
                                               "main 10\n"
                                               "main;a:x 6\n"
                                               "main;a:x;d 9\n"
                                               "main;b;c 3\n");
  Profile calls = inputs.profile();
  calls.shown = 1;
  EXPECT_EQ(write(calls, "folded"), "a 1\n"
                                    "main 1\n"
                                    "main;a:x 2\n"
                                    "main;a:x;d 2\n"
                                    "main;b 5\n"
                                    "main;b;c 1\n");
}

TEST(FoldedBackend, TakesAnEmptyTreeAndADeepOne) {
  ProfileInputs inputs;
  EXPECT_EQ(write(inputs.profile(), "folded"), "");
  inputs.add(std::vector<StringRef>(100000, "f"), 1);
  std::string text = write(inputs.profile(), "folded");
  EXPECT_EQ(text.size(), 100000 * 2 - 1 + 3);
  EXPECT_TRUE(StringRef(text).ends_with("f;f 1\n"));
}
