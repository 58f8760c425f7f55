//===- StraightRunsTest.cpp - Where runs begin, and what they cost --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/StraightRuns.h"
#include "TestModule.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

// "block 40 br_if 00 end" as bytes: mnemonics, with their immediates in hexadecimal.
SmallVector<uint8_t> assemble(StringRef text) {
  SmallVector<uint8_t> code;
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto opcodes = opcodesNamed(word);
    if (opcodes.empty()) {
      code.push_back(hexFromNibbles(word[0], word[1]));
      continue;
    }
    unsigned number = opcodes.front()->number;
    if (number >= 0x100) { // of these tests: those after 0xfb
      code.push_back(0xfb);
      number -= 0x100;
    }
    code.push_back(uint8_t(number));
  }
  return code;
}

// The mnemonics of code, with `+cost` before each that a run begins with, and `^` before that at
// the entry and heads of loops.
std::string runsOf(StringRef text, const FuelCosts &costs) {
  SmallVector<uint8_t> code = assemble(text);
  StraightRunFinder finder(costs);
  ByteCursor cursor(code);
  const std::vector<StraightRun> &runs = finder.find(cursor);
  if (!cursor.ok())
    return toString(cursor.takeError("code"));
  std::string result;
  size_t next = 0;
  ByteCursor again(code);
  CodeWalker walker(again);
  for (Instruction instruction; walker.next(instruction);) {
    if (next != runs.size() && runs[next].begin == instruction.begin) {
      static const char *const marks[] = {"^", "@", ""};
      result += marks[size_t(runs[next].place)] + ("+" + utostr(runs[next].cost)) + " ";
      ++next;
    }
    result += std::string(instruction.info->name) + " ";
  }
  EXPECT_EQ(next, runs.size());
  return StringRef(result).rtrim().str();
}

struct Case {
  const char *name;
  const char *code;
  const char *runs;
};

const Case cases[] = {
    {"nothing", "end", "^+0 end"},
    {"a call ends no run", "nop call 00 drop end", "^+2 nop call drop end"},
    {"the beginning of a block and an end that nothing reaches end none",
     "drop block 40 drop end drop end", "^+3 drop block drop end drop end"},
    {"behind a branch that may be taken, and behind its label",
     "block 40 drop br_if 00 drop drop end drop end",
     "^+2 block drop br_if +2 drop drop end +1 drop end"},
    {"nothing stands where nothing is paid", "block 40 drop br_if 00 end end",
     "^+2 block drop br_if end end"},
    {"several ends at one place", "block 40 block 40 br_if 00 br_if 01 end end drop end",
     "^+1 block block br_if +1 br_if end end +1 drop end"},
    {"a branch to the function's own label", "drop br_if 00 drop end",
     "^+2 drop br_if +1 drop end"},
    {"if without else", "drop if 40 drop end drop drop end",
     "^+2 drop if +1 drop end +2 drop drop end"},
    {"if and else", "if 40 drop else drop drop end drop end",
     "^+1 if +1 drop else +2 drop drop end +1 drop end"},
    {"what comes out of else alone goes on", "if 40 return else drop end drop end",
     "^+1 if +1 return else +2 drop end drop end"},
    {"what comes out of the first part alone does not", "if 40 drop else return end drop end",
     "^+1 if +1 drop else +1 return end +1 drop end"},
    {"a branch out of the first part arrives", "if 40 br 00 else return end drop end",
     "^+1 if +1 br else +1 return end +1 drop end"},
    {"neither comes out", "if 40 return else return end drop drop end",
     "^+1 if +1 return else +1 return end drop drop end"},
    {"a loop that is gone back to", "drop loop 40 drop drop br_if 00 drop end drop end",
     "^+1 drop loop @+3 drop drop br_if +2 drop end drop end"},
    {"a loop that is not", "drop loop 40 drop br_if 01 drop end drop end",
     "^+3 drop loop drop br_if +2 drop end drop end"},
    {"loops at one place", "loop 40 loop 40 drop br_if 00 br_if 01 end end end",
     "^+0 loop @+0 loop @+2 drop br_if +1 br_if end end end"},
    {"the inner of them is none", "loop 40 loop 40 drop br_if 01 end end end",
     "^+0 loop @+2 loop drop br_if end end end"},
    {"the outer of them is none", "drop loop 40 loop 40 drop br_if 00 end end end",
     "^+1 drop loop loop @+2 drop br_if end end end"},
    {"neither of them is one", "drop loop 40 loop 40 drop end end drop end",
     "^+3 drop loop loop drop end end drop end"},
    {"code that nothing reaches", "block 40 br 00 drop block 40 br_if 01 drop end end drop end",
     "^+1 block br drop block br_if drop end end +1 drop end"},
    {"branches in it reach nothing", "block 40 drop block 40 return br 00 end br 00 end drop end",
     "^+2 block drop block return br end br end drop end"},
    {"a loop in it is none", "unreachable loop 40 drop br 00 end drop end",
     "^+1 unreachable loop drop br end drop end"},
    {"an if in it has no parts", "unreachable if 40 drop else drop end drop end",
     "^+1 unreachable if drop else drop end drop end"},
    {"an if in it is not skipped either", "unreachable if 40 drop end drop end",
     "^+1 unreachable if drop end drop end"},
    {"a loop without an end", "loop 40 drop br 00 end drop end",
     "^+0 loop @+2 drop br end drop end"},
    {"a table of branches", "block 40 block 40 drop br_table 01 00 01 end drop end drop end",
     "^+2 block block drop br_table end +1 drop end +1 drop end"},
    {"tail calls", "block 40 br_if 00 return_call 00 drop end drop end",
     "^+1 block br_if +1 return_call drop end +1 drop end"},
    {"throwing", "if 40 throw 00 else throw_ref end drop end",
     "^+1 if +1 throw else +1 throw_ref end drop end"},
    {"handlers in the legacy form",
     "try 40 drop catch 00 drop drop catch_all drop rethrow 00 end drop end",
     "^+2 try drop catch +3 drop drop catch_all +3 drop rethrow end +1 drop end"},
    {"the exception of rethrow is no target",
     "block 40 try 40 return catch_all rethrow 00 end drop end drop end",
     "^+2 block try return catch_all +2 rethrow end drop end drop end"},
    {"delegate is an end", "try 40 drop call 00 delegate 00 drop end",
     "^+5 try drop call delegate drop end"},
    {"delegate behind a branch", "try 40 drop br_if 00 drop delegate 00 drop end",
     "^+3 try drop br_if +2 drop delegate +1 drop end"},
    {"handlers in the newer form",
     "block 40 block 40 try_table 40 02 00 00 00 02 01 drop end drop end drop end drop end",
     "^+3 block block try_table drop end drop end +1 drop end +1 drop end"},
    {"a handler that nothing can reach",
     "block 40 br 00 try_table 40 01 02 00 drop end drop end drop end",
     "^+1 block br try_table drop end drop end +1 drop end"},
    {"the label of one", "block 40 unreachable try_table 40 01 02 00 drop end drop end drop end",
     "^+1 block unreachable try_table drop end drop end drop end"},
    {"branches on references", "block 40 br_on_null 00 drop br_on_non_null 00 drop end end",
     "^+1 block br_on_null +2 drop br_on_non_null +1 drop end end"},
    {"branches on casts",
     "block 40 br_on_cast 00 00 6e 6d drop br_on_cast_fail 00 01 6e 6d drop end end",
     "^+1 block br_on_cast +2 drop br_on_cast_fail +1 drop end end"},
    {"continuations", "block 40 drop resume 00 01 00 00 00 drop end suspend 00 drop end",
     "^+2 block drop resume +1 drop end +2 suspend drop end"},
};

TEST(StraightRuns, Cases) {
  FuelCosts costs;
  for (const Case &c : cases)
    EXPECT_EQ(runsOf(c.code, costs), c.runs) << c.name;
}

TEST(StraightRuns, CodeThatCannotBeRead) {
  FuelCosts costs;
  EXPECT_EQ(runsOf("block 40 br 05 end end", costs),
            "code:0x3: branch over 5 blocks, of which only 1 are open");
  EXPECT_EQ(runsOf("loop 40 drop", costs), "code:0x3: unexpected end: 1 byte wanted, 0 left");
}

TEST(StraightRuns, CostsOfATable) {
  auto costs = FuelCosts::parse("end 10\nloop 100 # of entering it\nelse 1000\ndrop 0\n", "t");
  ASSERT_TRUE(bool(costs));
  // An end is passed by what comes to it, not by a branch; a loop by what comes from before.
  EXPECT_EQ(runsOf("block 40 br 00 end end", *costs), "^+1 block br end +10 end");
  EXPECT_EQ(runsOf("loop 40 br_if 00 end end", *costs), "^+100 loop @+1 br_if +20 end end");
  EXPECT_EQ(runsOf("if 40 drop else drop end end", *costs),
            "^+1 if +1000 drop else +10 drop end +10 end");
}

struct BadTable {
  const char *text;
  const char *message;
};

const BadTable badTables[] = {
    {"i32.add", "t:1: 'i32.add' has no cost"},
    {"# costs\n\ni32.ad 2", "t:3: unknown instruction 'i32.ad'"},
    {"\x1b\xff 2", "t:1: unknown instruction '\xef\xbf\xbd'"},
    {"i32.add -1", "t:1: the cost of i32.add is '-1', not a whole number from 0 to 2147483647"},
    {"i32.add 2147483648",
     "t:1: the cost of i32.add is '2147483648', not a whole number from 0 to 2147483647"},
    {"i32.add 1.5", "t:1: the cost of i32.add is '1.5', not a whole number from 0 to 2147483647"},
    {"i32.add 2\r\ni32.mul 3\r\ni32.add 2\r\n", "t:3: i32.add has a cost already, in line 1"},
};

TEST(FuelCosts, BadTables) {
  for (const BadTable &bad : badTables) {
    auto costs = FuelCosts::parse(bad.text, "t");
    ASSERT_FALSE(bool(costs)) << bad.text;
    EXPECT_EQ(toString(costs.takeError()), bad.message);
  }
}

TEST(FuelCosts, NamesAndChanges) {
  auto usual = FuelCosts::parse("# nothing\n  i32.add\t1\nnop 0", "t");
  ASSERT_TRUE(bool(usual));
  EXPECT_EQ(usual->name(), "1");
  EXPECT_TRUE(usual->changes().empty());
  auto one = FuelCosts::parse("ref.test null 7\nselect 3", "t");
  auto same = FuelCosts::parse("select 3\nref.test null 7\ndrop 1", "t");
  ASSERT_TRUE(one && same);
  EXPECT_EQ(one->name(), same->name());
  EXPECT_EQ(one->name().size(), 16u);
  EXPECT_EQ(one->changes().size(), 2u);
  for (const OpcodeInfo *opcode : opcodesNamed("select"))
    EXPECT_EQ((*one)[*opcode], 3u);
}

TEST(FuelCosts, TheSectionSaysItsVersion) {
  const struct {
    const char *contents;
    const char *result;
  } cases[] = {{"01 'v8' 00", "v8"},
               {"00 'v8' 00", "m:0x16: version 0 of section 'warpo.fuel', known is 1"},
               {"02 'v8' 00", "m:0x16: version 2 of section 'warpo.fuel', known is 1"},
               {"01 05", "m:0x17: unexpected end: 5 bytes wanted, 0 left"},
               {"01 'v8,time' 00", "m:0x1e: section 'warpo.fuel' calls the costs 'v8,time', not a "
                                   "name of up to 48 letters, digits, '-' and '_'"}};
  for (const auto &test : cases) {
    Bytes module = moduleOf({section(0, std::string("'warpo.fuel' ") + test.contents)});
    auto name = readFuelCostsName(module, "m");
    EXPECT_EQ(name ? name->value_or("none") : toString(name.takeError()), test.result);
  }
  Bytes module = moduleOf({});
  auto name = readFuelCostsName(module, "m");
  ASSERT_TRUE(bool(name));
  EXPECT_EQ(*name, std::nullopt);
}

} // namespace
