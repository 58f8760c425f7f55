//===- TimeScaleTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/TimeScale.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

constexpr uint64_t twoTo63 = uint64_t(1) << 63;

TEST(TimeScale, isExactUpToLargeCounts) {
  struct Case {
    const char *rate;
    uint64_t counts;
    uint64_t nanoseconds;
  };
  for (const Case &c : std::initializer_list<Case>{
           {"1", twoTo63, twoTo63},
           {"0.5", twoTo63 + 1, twoTo63 / 2},
           {"0.4", twoTo63, 3689348814741910323},
           {"0.333333333", 3000000000, 999999999},
           {"1/3", twoTo63 - 1, 3074457345618258602},
           {"41.666", 1000, 41666},
           {"0.000000001", 999999999, 0},
           {"999999999.999999999", 1, 999999999},
           {"2", twoTo63 - 1, UINT64_MAX - 1},
           {"2", twoTo63, UINT64_MAX},
           {"1000", UINT64_MAX, UINT64_MAX},
           {"0.4", 0, 0},
           {".5", 9, 4},
           {"5.", 9, 45},
           {"+1", 7, 7},
           {"1e-3", 12345, 12},
           {"4E-1", twoTo63, 3689348814741910323},
           {"2.5e+2", 4, 1000},
           {"0x1p-2", 1000, 250},
           {"0.37037037037037035", 27000000000, 9999999999},
           {"0.370370370370370350000", 27000000000, 9999999999},
           {"1234567890", 2, 2469135780},
           {"0.1234567890123", 10000000000000, 1234567890123},
           {"1/12345678901234567890", 12345678901234567890u, 1},
           {"18446744073709551615/2", 2, UINT64_MAX},
           // More digits than a fraction has room for: as exact as a double.
           {"0.333333333333333333333333", 3000000000000000000, 999999999999999944},
           {"1.2345678901234567e-10", 10000000000000000000u, 1234567890},
           {"2.5e-19", 4000000000000000000, 1},
           {"1.8e19", 1, 18000000000000000000u},
       }) {
    auto scale = TimeScale::parse(c.rate);
    ASSERT_TRUE(bool(scale)) << c.rate << toString(scale.takeError());
    EXPECT_EQ(scale->toNanoseconds(c.counts), c.nanoseconds) << c.rate << " * " << c.counts;
  }
}

TEST(TimeScale, findsTheFirstCountOfATime) {
  for (const char *rate : {"1", "0.4", "3", "1/3", "41.666", "0.333333333"}) {
    TimeScale scale = cantFail(TimeScale::parse(rate));
    for (uint64_t nanoseconds :
         {uint64_t(0), uint64_t(1), uint64_t(7), uint64_t(1000), twoTo63 / 8}) {
      uint64_t counts = scale.toCounts(nanoseconds);
      EXPECT_GE(scale.toNanoseconds(counts), nanoseconds) << rate;
      if (counts > 0 && counts < UINT64_MAX) {
        EXPECT_LT(scale.toNanoseconds(counts - 1), nanoseconds) << rate;
      }
    }
  }
}

TEST(TimeScale, writesWhatItReads) {
  for (const char *rate :
       {"1", "0.4", "0.000000001", "999999999.999999999", "41.666", "125/3", "1/999999999999999999",
        "1000", "1000000000", "0.37037037037037035", "9.2233720368547758", "1/18446744073709551615",
        "18446744073709551615"}) {
    std::string text = cantFail(TimeScale::parse(rate)).toString();
    TimeScale again = cantFail(TimeScale::parse(text));
    EXPECT_EQ(again.toString(), text);
    EXPECT_EQ(text, StringRef(rate));
  }
  EXPECT_EQ(cantFail(TimeScale::parse("4/8")).toString(), "0.5");
  EXPECT_EQ(TimeScale(25, 100).toString(), "0.25");
  EXPECT_EQ(cantFail(TimeScale::parse("1e-3")).toString(), "0.001");
}

// What a double holds, whatever its size: the fraction differs from it by less than it is exact.
TEST(TimeScale, takesDoublesOfAllSizes) {
  uint64_t random = 1;
  for (int exponent = -63; exponent < 64; ++exponent)
    for (int i = 0; i < 20; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      double value = std::ldexp(1 + double(random >> 12) * 0x1p-52, exponent);
      char text[64];
      snprintf(text, sizeof(text), "%.17g", value);
      auto scale = TimeScale::parse(text);
      ASSERT_TRUE(bool(scale)) << text << toString(scale.takeError());
      auto difference = (long double)(scale->nanoseconds()) / scale->counts() - value;
      EXPECT_LE(std::fabs(difference), value * 0x1p-53L) << text;
    }
}

TEST(TimeScale, refusesWhatIsNoRate) {
  auto errorOf = [](StringRef text) { return toString(TimeScale::parse(text).takeError()); };
  for (const char *text :
       {"", "1,5", "nan", "inf", "1e999", "1.2.3", "e3", "1e", "1e+", "0x1p", ".", "1/", "/2",
        "1/2/3", "1/-2", "1/18446744073709551616", "1.5/2", " 1"})
    EXPECT_EQ(errorOf(text), (Twine("'") + text +
                              "' is not a number of nanoseconds a count (a number like 0.4 or "
                              "4e-1, or a fraction of whole numbers like 125/3)")
                                 .str());
  for (const char *text : {"0", "0.0", "0/1", "1/0", "0/0", "-0", "1e-999"})
    EXPECT_EQ(
        errorOf(text),
        (Twine("'") + text + "' is not a rate: neither a count nor a nanosecond may take 0").str());
  for (const char *text : {"-1", "1e-20", "1e-300", "18446744073709551616", "1e300"})
    EXPECT_EQ(
        errorOf(text),
        (Twine("'") + text + "' is not a clock rate: a count takes from 2^-63 to 2^64 ns").str());
}

} // namespace
