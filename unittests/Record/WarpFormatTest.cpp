//===- WarpFormatTest.cpp - The times that WARP's record leaves out -------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordText.h"
#include "warpo/Record/FunctionTable.h"
#include "llvm/Support/Endian.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

struct Entry {
  uint64_t module;
  uint32_t time;
  int32_t id;
};

std::string recordOf(ArrayRef<Entry> entries) {
  std::string bytes = "___WARP_TRACE___";
  for (const Entry &entry : entries) {
    char raw[16];
    llvm::support::endian::write64le(raw, entry.module);
    llvm::support::endian::write32le(raw + 8, entry.time);
    llvm::support::endian::write32le(raw + 12, uint32_t(entry.id));
    bytes.append(raw, sizeof(raw));
  }
  return bytes;
}

constexpr uint32_t top = UINT32_MAX;
constexpr uint32_t smallestWrap = 1 << 20;

struct Case {
  const char *name;
  std::vector<Entry> entries;
  const char *expected;
};
void PrintTo(const Case &testCase, std::ostream *os) { *os << testCase.name; }
class WarpReading : public testing::TestWithParam<Case> {};

TEST_P(WarpReading, givesFullTimes) {
  EXPECT_EQ(readAll(recordOf(GetParam().entries)), GetParam().expected);
}

const Case cases[] = {
    {"empty", {}, ""},
    {"increases", {{1, 0, 5}, {1, 7, -5}}, "1> 0:5 7:-5"},
    {"theLargestIncrease", {{1, 0, 5}, {1, top, -5}}, "1> 0:5 4294967295:-5"},
    {"wraps",
     {{1, top, 5}, {1, 7, -5}, {1, 6 + smallestWrap, 5}},
     "1> 4294967295:5 4294967303:-5 4296015878:5"},
    {"wrapsTwice",
     {{1, 0x80000000, 5}, {1, 1, 5}, {1, 0x80000000, 5}, {1, 1, 5}},
     "1> 2147483648:5 4294967297:5 6442450944:5 8589934593:5"},
    {"smallDecrease",
     {{1, smallestWrap, 5}, {1, 1, -5}, {1, smallestWrap + 1, 6}},
     "1> 1048576:5 {back 1048575 at in:0x20} 1048576:-5 1048577:6"},
    {"smallestWrap", {{1, smallestWrap, 5}, {1, 0, -5}}, "1> 1048576:5 4294967296:-5"},
    {"noTime", {{1, 9, 5}, {1, 9, -5}}, "1> 9:5 9:-5"},
    {"runsThatGoBack",
     {{1, 1000, 5}, {1, 2000, -5}, {2, 500, 5}, {2, 600, -5}, {1, 2500, 5}},
     "1> 1000:5 2000:-5 2> 500:5 600:-5 1> 2500:5"},
    {"aRunBeforeTheFirstWrap",
     {{1, 10, 5}, {1, 20, -5}, {2, top, 5}, {2, 30, -5}},
     "1> 10:5 20:-5 2> -1:5 30:-5"},
    {"aRunAfterTheWrap",
     {{1, top, 5}, {2, 10, 5}, {1, 20, -5}},
     "1> 4294967295:5 2> 4294967306:5 1> 4294967316:-5"},
    {"theTieGoesForward", {{1, 0x80000000, 5}, {2, 0, 5}}, "1> 2147483648:5 2> 4294967296:5"},
    {"theTieIsForwardAlready", {{1, 0, 5}, {2, 0x80000000, 5}}, "1> 0:5 2> 2147483648:5"},
    {"neverBeforeItsOwnLastTime",
     {{1, 0, 5}, {1, 0xf0000000, -5}, {2, 0x10000000, 5}, {2, 0x10000001, -5}, {1, 0xe0000000, 5}},
     "1> 0:5 4026531840:-5 2> 4563402752:5 4563402753:-5 1> 8053063680:5"},
    {"aRunAFewCountsBeforeItsOwnLastTime",
     {{1, 1000, 5}, {2, 1000, 5}, {1, 900, -5}},
     "1> 1000:5 2> 1000:5 1> {back 100 at in:0x30} 1000:-5"},
    {"noId",
     {{1, 5, 0}, {1, 6, 7}, {1, 7, INT32_MIN}, {1, 8, 0}, {1, 9, -7}},
     "1> {invalid 1 at in:0x10} 6:7 {invalid 1 at in:0x30} {invalid 1 at in:0x40} 9:-7"},
    // The time of an entry that is left out says nothing about those that follow.
    {"noIdAtTheStart", {{1, top, 0}, {1, 6, 7}, {1, 9, -7}}, "1> {invalid 1 at in:0x10} 6:7 9:-7"},
    {"noIdAtTheStartOfARun",
     {{1, 5, 7}, {2, 0x70000000, 0}, {2, 9, 7}, {3, 0xe0000000, 0}, {1, 10, -7}},
     "1> 5:7 2> {invalid 1 at in:0x20} 9:7 3> {invalid 1 at in:0x40} 1> 10:-7"},
    {"extremeIds",
     {{UINT64_MAX, 1, INT32_MAX}, {0, 2, -INT32_MAX}},
     "18446744073709551615> 1:2147483647 0> 2:-2147483647"},
};
INSTANTIATE_TEST_SUITE_P(Cases, WarpReading, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

/// The rules of docs/records.md, entry by entry, in signed 128 bits that never overflow.
std::string readNaively(ArrayRef<Entry> entries) {
  __extension__ using Wide = __int128;
  constexpr Wide epoch = Wide(1) << 32;
  std::string text;
  raw_string_ostream os(text);
  std::map<uint64_t, Wide> lastOfModule;
  std::optional<uint64_t> run;
  Wide lastOfRun = 0;
  for (const Entry &entry : entries) {
    auto known = lastOfModule.find(entry.module);
    Wide time = entry.time;
    bool wentBack = false;
    if (run != entry.module) {
      if (run) {
        Wide best = time - 2 * epoch;
        auto distance = [&](Wide t) { return t < lastOfRun ? lastOfRun - t : t - lastOfRun; };
        for (Wide t = best; t <= lastOfRun + 2 * epoch; t += epoch)
          if (distance(t) <= distance(best))
            best = t;
        time = best;
        // An epoch before the first does not exist.
        if (time < -epoch)
          time += epoch;
      }
      os << (run ? " " : "") << entry.module << '>';
    }
    if (known != lastOfModule.end() && (run == entry.module || time < known->second)) {
      Wide last = known->second;
      time = entry.time + (last >= 0 ? last / epoch : -1) * epoch;
      if (time < last) {
        wentBack = last - time < smallestWrap;
        time += wentBack ? 0 : epoch;
      }
      if (wentBack) {
        os << " {back " << uint64_t(last - time) << '}';
        time = last;
      }
    }
    os << ' ' << int64_t(time) << ':' << entry.id;
    run = entry.module;
    lastOfModule[entry.module] = lastOfRun = time;
  }
  return text;
}

std::string withoutPlaces(std::string text) {
  for (size_t at; (at = text.find(" at in:")) != std::string::npos;)
    text.erase(at, text.find('}', at) - at);
  return text;
}

TEST(WarpFormat, readsRandomRunsAsTheRulesSay) {
  std::mt19937 random(1);
  const uint32_t marks[] = {
      0,          1,          smallestWrap - 1, smallestWrap,       smallestWrap + 1,
      0x7fffffff, 0x80000000, 0x80000001,       top - smallestWrap, top};
  for (int round = 0; round < 20000 && !HasFailure(); ++round) {
    std::vector<Entry> entries;
    for (int i = 0; i < 6; ++i)
      entries.push_back({random() % 3, marks[random() % std::size(marks)], 5});
    EXPECT_EQ(withoutPlaces(readAll(recordOf(entries))), readNaively(entries));
  }
}

TEST(WarpFormat, saysWhereAnEntryStands) {
  EXPECT_EQ(readAll(recordOf({{1, 1, 5}, {1, 2, 0}, {1, 2, 0}, {1, 3, 6}, {2, 1, 0}, {2, 1, 7}}),
                    "",
                    /*withPlaces=*/true),
            "1> 1:5@in:0x10 {invalid 1 at in:0x20} {invalid 1 at in:0x30} 3:6@in:0x40 "
            "2> {invalid 1 at in:0x50} 1:7@in:0x60");
}

TEST(WarpFormat, keepsWhatCameBeforeATruncatedEntry) {
  std::string bytes = recordOf({{1, 1, 5}, {1, 2, -5}});
  for (size_t cut = 1; cut < 16; ++cut)
    EXPECT_EQ(readAll(StringRef(bytes).drop_back(cut)),
              ("1> 1:5 {truncated " + Twine(16 - cut) + " at in:0x20}").str());
  EXPECT_EQ(readAll(StringRef(bytes).take_front(19)), "0> {truncated 3 at in:0x10}");
}

TEST(WarpFormat, reportsWhatItCannotWrite) {
  FunctionTable functions;
  std::vector<std::string> omissions;
  convert("warpo-record: 1\nrate: 0.4\nentries:\n- lost: 3\n- {module: 1, name: a}\n- [1, 5]\n"
          "- lost: 0\n- [4293918721, -5]\n- [8587837442, 5]\n",
          "warp", functions, &omissions);
  EXPECT_EQ(join(omissions, "; "),
            "2 places where events were lost; the rate of the clock (--rate=0.4); "
            "1 silence of about 2^32 counts or more; 1 name of a stream");
  convert("warpo-record: 1\nentries:\n- [1, 5]\n- [4293918721, -5]\n", "warp", functions,
          &omissions);
  EXPECT_TRUE(omissions.empty());
}

TEST(WarpFormat, hasNoTimeOfTheRecorder) {
  FunctionTable functions;
  std::vector<std::string> omissions;
  EXPECT_EQ(readAll(convert("warpo-record: 1\nentries:\n- module: 1\n- [1, 5]\n"
                            "- [2, 2147483645]\n- [7, -2147483645]\n- [9, -5]\n",
                            "warp", functions, &omissions)),
            "1> 1:5 9:-5");
  EXPECT_EQ(join(omissions, "; "), "1 time of the recorder");
}

TEST(WarpFormat, refusesAnotherMagic) {
  EXPECT_EQ(
      readAll("___WARP_TRACE__"),
      "error: in: not a record of a known format (known: chrome, order-dump, warp, warpo, yaml)");
  EXPECT_EQ(readAll("___WARP_TRACE__", "warp"),
            "error: in:0x0: not a WARP record: it does not start with ___WARP_TRACE___");
  EXPECT_EQ(readAll(""), "error: in: the record is empty");
  EXPECT_EQ(readAll("", "warp"),
            "error: in:0x0: not a WARP record: it does not start with ___WARP_TRACE___");
}

TEST(WarpFormat, isTheSameAfterYaml) {
  std::mt19937 random(2);
  std::vector<Entry> entries;
  std::map<uint64_t, uint32_t> times;
  uint64_t module = 0;
  // More than a batch, runs of all lengths, wraps.
  for (int i = 0; i < 30000; ++i) {
    if (random() % 500 == 0)
      module = random() % 4;
    times[module] += random() % 3000000;
    entries.push_back({module, times[module], random() % 2 ? 5 : -5});
  }
  std::string bytes = recordOf(entries);
  FunctionTable functions;
  std::string yaml = convert(bytes, "yaml", functions);
  EXPECT_TRUE(StringRef(yaml).starts_with("warpo-record: 1\nclock-bits: 32\nentries:\n"));
  EXPECT_TRUE(convert(yaml, "warp", functions) == bytes);
  EXPECT_TRUE(convert(bytes, "warp", functions) == bytes);
}

} // namespace
