//===- OptionRulesTest.cpp - How options that do not go together are refused //
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/OptionRules.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

// Options as tools have them, in one program.
cl::opt<std::string> window("window", needs(Need::singleCalls), lacks(Need::wholeRecord));
cl::opt<std::string> roots("roots", cl::ValueOptional, needs(Need::wholeRecord).when("all"),
                           isAlternative().when(""), isSingle());
cl::opt<bool> tree("a-tree", isAlternative(),
                   excludes({"order", "absent"}).because("a tree has its own"));
cl::opt<std::string> order("order", excludes({"plain"}).when("{time,time/*}"));
cl::opt<bool> plain("plain", cl::init(false));
cl::list<std::string> against("against", needs(Need::sums));
cl::opt<bool> chart("chart", lacks(Need::sums));
cl::opt<double> limit("limit", needs("against"));
cl::opt<unsigned> arg("x", needs("window").because("it has a place in time"));

std::string refusalOf(std::vector<const char *> arguments) {
  cl::ResetAllOptionOccurrences();
  arguments.insert(arguments.begin(), "tool");
  EXPECT_TRUE(cl::ParseCommandLineOptions(int(arguments.size()), arguments.data()));
  return toString(checkOptions());
}

TEST(OptionRules, NameBothOptions) {
  const struct {
    std::vector<const char *> given;
    StringRef refusal;
  } cases[] = {
      {{}, ""},
      {{"--limit=1"}, "--limit needs --against"},
      {{"--limit=1", "--against=a"}, ""},
      {{"-x=1"}, "-x needs --window: it has a place in time"},
      {{"--a-tree", "--order=calls"},
       "--a-tree and --order exclude each other: a tree has its own"},
      {{"--a-tree=false", "--order=calls"}, ""},
      {{"--order=time", "--plain"}, "--order=time and --plain exclude each other"},
      {{"--order=time/calls", "--plain"}, "--order=time/calls and --plain exclude each other"},
      {{"--order=calls/time", "--plain"}, ""},
      {{"--roots=all", "--window=3"},
       "--roots=all and --window exclude each other: --roots=all needs the whole record, but "
       "--window takes a part of it"},
      {{"--roots=some", "--window=3"}, ""},
      {{"--chart", "--against=a", "--against=b"},
       "--against and --chart exclude each other: --against needs sums, but --chart shows single "
       "calls only"},
      {{"--a-tree", "--roots"}, "--roots and --a-tree exclude each other"},
      {{"--a-tree", "--roots=all"}, ""},
      {{"--roots=all", "--roots"}, "--roots can be given only once"},
  };
  for (const auto &[given, refusal] : cases)
    EXPECT_EQ(refusalOf(given), refusal);
}

TEST(OptionRules, NameWhatIsLacking) {
  EXPECT_EQ(refusalOf({"--roots=all", "--against=a"}), "");
  EXPECT_EQ(toString(checkNeeds(Need::wholeRecord, "this is a piece")),
            "--roots=all needs the whole record, but this is a piece");
  EXPECT_EQ(toString(checkNeeds(Need::sums, "there are none")),
            "--against needs sums, but there are none");
  EXPECT_EQ(toString(checkNeeds(Need::singleCalls, "there are none")), "");
  EXPECT_EQ(toString(unmetNeed("--compress", Need::compression, "'text' cannot")),
            "--compress needs a format that can be compressed, but 'text' cannot");
}

} // namespace
