//===- YamlFormatTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordText.h"
#include "warpo/Record/FunctionTable.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

struct Case {
  const char *name;
  const char *text;
  const char *expected;
};

void PrintTo(const Case &testCase, std::ostream *os) { *os << testCase.name; }

class YamlReading : public testing::TestWithParam<Case> {};

TEST_P(YamlReading, givesEntriesOrAnErrorWithItsLine) {
  EXPECT_EQ(readAll(GetParam().text), GetParam().expected);
}

constexpr Case good[] = {
    {"empty", "warpo-record: 1\nentries: []\n", ""},
    {"emptyWithoutBrackets", "warpo-record: 1\nentries:\n", ""},
    {"defaultModule", "warpo-record: 1\nentries:\n- [0, 1]\n- [5, -1]\n", "0> 0:1 5:-1"},
    {"comments",
     "# RUN: x\n\n---\nwarpo-record: 1 # one\n  # two\nentries: # three\n  - [0, 1] # "
     "four\n#five\n\n  - [5, -1]\n# six",
     "0> 0:1 5:-1"},
    {"spaces", "warpo-record: 1\nentries:\n  -  [ +1 ,\t2 ]  \n  - [3,-2]\n", "0> 1:2 3:-2"},
    {"crlf", "warpo-record: 1\r\nentries:\r\n  - [1, 2]\r\n", "0> 1:2"},
    {"noFinalNewline", "warpo-record: 1\nentries:\n  - [1, 2]", "0> 1:2"},
    {"modules",
     "warpo-record: 1\nentries:\n- module: 7\n- [1, 2]\n- module: 18446744073709551615\n- [0, 3]\n"
     "- module: 7\n- [4, -2]\n",
     "7> 1:2 18446744073709551615> 0:3 7> 4:-2"},
    {"streamsOfOneModule",
     "warpo-record: 1\nentries:\n- {module: 7, name: \"a, \\\"b\\\"\"}\n- [5, 2]\n"
     "- {module: 7, name: b c}\n- [1, 2]\n- {module: 7}\n- [0, 2]\n",
     "7=a, \"b\"> 5:2 7=b c> 1:2 7> 0:2"},
    {"lost", "warpo-record: 1\nentries:\n- lost: 3\n- [1, 2]\n- lost: 0\n",
     "0> {lost 3 at in:3} 1:2 {lost 0 at in:5}"},
    {"lostBeforeAModule", "warpo-record: 1\nentries:\n- lost: 3\n- module: 4\n- [1, 2]\n",
     "0> {lost 3 at in:3} 4> 1:2"},
    {"limits",
     "warpo-record: 1\nentries:\n- [-4294967296, 2147483647]\n- [9223372036854775807, "
     "-2147483647]\n",
     "0> -4294967296:2147483647 9223372036854775807:-2147483647"},
    {"timeWentBack", "warpo-record: 1\nentries:\n- [10, 1]\n- [7, -1]\n- [8, 1]\n- [11, -1]\n",
     "0> 10:1 {back 3 at in:4} 10:-1 {back 2 at in:5} 10:1 11:-1"},
    {"invalidIds", "warpo-record: 1\nentries:\n- [1, 0]\n- [2, -2147483648]\n- [3, 1]\n",
     "0> {invalid 1 at in:3} {invalid 1 at in:4} 3:1"},
    {"fuel",
     "warpo-record: 1\nclocks: time, fuel:a-b\nentries:\n- [1, 2, 3]\n- [2, 4]\n"
     "- [3, -4, 9]\n",
     "0> 1:2/3 2:4/3 3:-4/9"},
    {"twoColumns",
     "warpo-record: 1\nclocks: time, fuel, bytes\nentries:\n- [1, 2, 3, 4]\n- [2, 4, 5]\n"
     "- [3, -4, 9, 6]\n- [4, -2, 9, 1]\n",
     "0> 1:2/3/4 2:4/5/4 3:-4/9/6 {fuelBack 5 at in:7} 4:-2/9/6"},
    {"noTime", "warpo-record: 1\nclocks: fuel, bytes\nentries:\n- [1, 2, 3]\n", "0> 1:2/3"},
    {"onlyFuel", "warpo-record: 1\nclocks: fuel\nentries:\n- [1, 2]\n", "0> 1:2"},
    {"host", "warpo-record: 1\nentries:\n- {module: 7, name: a, host: true}\n- [1, 2]\n",
     "7=a> 1:2"},
    {"fuelWentBack", "warpo-record: 1\nclocks: time, fuel\nentries:\n- [1, 2, 3]\n- [2, -2, 1]\n",
     "0> 1:2/3 {fuelBack 2 at in:5} 2:-2/3"},
    {"cutOff", "warpo-record: 1\nentries:\n- [1, 2]\n- [2, -", "0> 1:2 {truncated 7 at in:4}"},
};
INSTANTIATE_TEST_SUITE_P(Good, YamlReading, testing::ValuesIn(good),
                         [](const auto &info) { return info.param.name; });

constexpr Case bad[] = {
    {"nothing", "# nothing\n",
     "error: in: not a record of a known format (known: chrome, order-dump, warp, warpo, yaml)"},
    {"noEntries", "warpo-record: 1\nrate: 1\n", "error: in: the record ends before its entries"},
    {"version", "\nwarpo-record: 2\n",
     "error: in:2: version 2 of the format is not known (known: 1)"},
    {"noVersion", "warpo-record:\n", "error: in:1: a record starts with 'warpo-record: 1'"},
    {"key", "warpo-record: 1\nspeed: 1\n",
     "error: in:2: expected 'rate: <ns>', 'clock-bits: <n>', 'clocks: <names>' or "
     "'entries:'"},
    {"indentedKey", "warpo-record: 1\n rate: 1\n",
     "error: in:2: a field of the record is not indented"},
    {"rate", "warpo-record: 1\nrate: 0\n",
     "error: in:2: rate: '0' is not a rate: neither a count nor a nanosecond may take 0"},
    {"entriesOnOneLine", "warpo-record: 1\nentries: [[1, 2]]\n",
     "error: in:2: entries follow on lines of their own"},
    {"entriesAfterNone", "warpo-record: 1\nentries: []\n- [1, 2]\n",
     " error: in:3: 'entries: []' has no entries"},
    {"indent", "warpo-record: 1\nentries:\n  - [1, 2]\n - [2, 2]\n",
     " error: in:4: all entries are indented alike"},
    {"word", "warpo-record: 1\nentries:\n- begin\n",
     " error: in:3: expected '- [<time>, <id>]', '- module: <id>' or '- lost: <count>'"},
    {"noDash", "warpo-record: 1\nentries:\n[1, 2]\n",
     " error: in:3: expected '- [<time>, <id>]', '- module: <id>' or '- lost: <count>'"},
    {"time", "warpo-record: 1\nentries:\n- [1x, 2]\n",
     " error: in:3: expected a time between -2^32 and 2^63"},
    {"timeTooEarly", "warpo-record: 1\nentries:\n- [-4294967297, 2]\n",
     " error: in:3: expected a time between -2^32 and 2^63"},
    {"timeTooLate", "warpo-record: 1\nentries:\n- [9223372036854775808, 2]\n",
     " error: in:3: expected a time between -2^32 and 2^63"},
    {"id", "warpo-record: 1\nentries:\n- [1, 2147483648]\n",
     " error: in:3: expected the id of a function between -2^31 and 2^31 - 1"},
    {"oneNumber", "warpo-record: 1\nentries:\n- [1]\n",
     " error: in:3: expected the id of a function between -2^31 and 2^31 - 1"},
    {"fuelUnannounced", "warpo-record: 1\nentries:\n- [1, 2, 3]\n",
     " error: in:3: an entry has fuel, but the record does not say 'clocks: time, fuel'"},
    {"fourNumbers", "warpo-record: 1\nclocks: time, fuel\nentries:\n- [1, 2, 3, 4]\n",
     " error: in:4: expected '- [<time>, <id>]'"},
    {"negativeFuel", "warpo-record: 1\nclocks: time, fuel\nentries:\n- [1, 2, -3]\n",
     " error: in:4: expected fuel between 0 and 2^64 - 1"},
    {"fuelTwice", "warpo-record: 1\nclocks: fuel\nentries:\n- [1, 2, 3]\n",
     " error: in:4: an entry has fuel, but the record does not say 'clocks: time, fuel'"},
    {"clocks", "warpo-record: 1\nclocks: fuel, time\nentries: []\n",
     "error: in:2: the clock 'time' comes first, or there is none"},
    {"clockName", "warpo-record: 1\nclocks: time, calls\nentries: []\n",
     "error: in:2: 'calls' is not a clock: names are 'time', 'fuel', ..."},
    {"clockTwice", "warpo-record: 1\nclocks: time, fuel, fuel:2\nentries: []\n",
     "error: in:2: the record has two clocks 'fuel'"},
    {"clocksTooMany", "warpo-record: 1\nclocks: time, a, b, c, d, e\nentries: []\n",
     "error: in:2: a record has at most 4 clocks beside its first"},
    {"rateWithoutTime", "warpo-record: 1\nrate: 1\nclocks: fuel\nentries: []\n",
     "error: in: the record has a rate and no time"},
    {"host", "warpo-record: 1\nentries:\n- {module: 7, name: a, host: yes}\n",
     " error: in:3: expected 'host: true'"},
    {"trailing", "warpo-record: 1\nentries:\n- [1, 2]#3\n",
     " error: in:3: expected '- [<time>, <id>]'"},
    {"module", "warpo-record: 1\nentries:\n- module: -1\n",
     " error: in:3: expected the id of a module between 0 and 2^64 - 1"},
    {"name", "warpo-record: 1\nentries:\n- {module: 1, name: \"\\q\"}\n",
     " error: in:3: expected 'name: <text>'"},
    {"brace", "warpo-record: 1\nentries:\n- {module: 1\n",
     " error: in:3: expected '- module: <id>' or '- {module: <id>, name: <text>}'"},
    {"phaseWithoutName", "warpo-record: 1\nentries:\n- phase: [1, 2]\n",
     " error: in:3: expected '- phase: [<begin>, <end>, <name>]', '[..., <ticks>, <unit>]' or "
     "'[..., <ticks>, <unit>, <run>]'"},
    {"phaseWithoutUnit", "warpo-record: 1\nentries:\n- phase: [1, 2, run, 3]\n",
     " error: in:3: expected '- phase: [<begin>, <end>, <name>]', '[..., <ticks>, <unit>]' or "
     "'[..., <ticks>, <unit>, <run>]'"},
    {"phaseBeyondItsTimes", "warpo-record: 1\nentries:\n- phase: [0, 9223372036854775808, run]\n",
     " error: in:3: a phase's times are between -2^63 and 2^63 - 1, its ticks between 0 and 2^64 - "
     "1"},
    {"phaseOfTooManyTicks",
     "warpo-record: 1\nentries:\n- phase: [0, 1, run, 18446744073709551616, fuel]\n",
     " error: in:3: a phase's times are between -2^63 and 2^63 - 1, its ticks between 0 and 2^64 - "
     "1"},
    {"phaseWithAWordForItsTime", "warpo-record: 1\nentries:\n- phase: [0, -x, run]\n",
     " error: in:3: expected '- phase: [<begin>, <end>, <name>]', '[..., <ticks>, <unit>]' or "
     "'[..., <ticks>, <unit>, <run>]'"},
    {"phaseThatEndsFirst", "warpo-record: 1\nentries:\n- phase: [2, 1, run]\n",
     " error: in:3: a phase ends after it begins, within 2^63 counts"},
    {"phaseTooLong",
     "warpo-record: 1\nentries:\n- phase: [-9223372036854775808, 9223372036854775807, run]\n",
     " error: in:3: a phase ends after it begins, within 2^63 counts"},
    {"lostWithoutCount", "warpo-record: 1\nentries:\n- lost: many\n",
     " error: in:3: expected '- lost: <count>'"},
};
INSTANTIATE_TEST_SUITE_P(Bad, YamlReading, testing::ValuesIn(bad),
                         [](const auto &info) { return info.param.name; });

TEST(YamlFormat, writesWhatItReads) {
  const char *text = "warpo-record: 1\n"
                     "rate: 0.4\n"
                     "clock-bits: 32\n"
                     "entries:\n"
                     "  - module: 16\n"
                     "  - [-5, 16777216]\n"
                     "  - lost: 3\n"
                     "  - [9223372036854775807, -16777216]\n"
                     "  - lost: 0\n"
                     "  - {module: 16, name: \"worker \\\"1\\\"\"}\n"
                     "  - [1, 2147483647]\n"
                     "  - module: 16\n"
                     "  - lost: 1\n"
                     "  - phase: [-5000000000, 7, \"decode\", 12, \"bytes\"]\n"
                     "  - phase: [7, 8, \"start\"]\n"
                     "  - phase: [8, 8, \"run\", 0, \"fuel\", \"a.warpo\"]\n"
                     "  - phase: [9, 9, \"run\", 0, \"\", \"b.warpo\"]\n";
  FunctionTable functions;
  EXPECT_EQ(convert(text, "yaml", functions), text);
}

TEST(YamlFormat, writesAnEmptyRecord) {
  FunctionTable functions;
  EXPECT_EQ(convert("warpo-record: 1\nentries:\n", "yaml", functions),
            "warpo-record: 1\nentries: []\n");
}

TEST(YamlFormat, readsMoreThanABatch) {
  std::string text = "warpo-record: 1\nentries:\n";
  for (int i = 0; i < 100000; ++i)
    text += "  - [" + std::to_string(i) + ", 1]\n";
  FunctionTable functions;
  std::string expected = text;
  expected.insert(expected.find("  - ["), "  - module: 0\n");
  EXPECT_EQ(convert(text, "yaml", functions), expected);
}

TEST(YamlFormat, saysTheLineOfAnEntry) {
  EXPECT_EQ(readAll("warpo-record: 1\nentries:\n# c\n- [1, 2]\n- [1, 0]\n- [2, -2]\n", "yaml",
                    /*withPlaces=*/true),
            "0> 1:2@in:4 {invalid 1 at in:5} 2:-2@in:6");
}

TEST(YamlFormat, statesTheRate) {
  auto reader = openBytes("warpo-record: 1\nrate: 125/3 # of a 24 MHz clock\nentries: []\n");
  ASSERT_TRUE(bool(reader)) << toString(reader.takeError());
  ASSERT_TRUE((*reader)->header().measures[0].scale);
  EXPECT_EQ((*reader)->header().measures[0].scale->toNanoseconds(3000), 125000u);
}

} // namespace
