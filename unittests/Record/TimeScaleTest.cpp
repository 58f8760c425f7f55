//===- TimeScaleTest.cpp --------------------------------------------------===//

#include "warpo/Record/TimeScale.h"
#include "llvm/ADT/Twine.h"
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
  for (const char *rate : {"1", "0.4", "0.000000001", "999999999.999999999", "41.666", "125/3",
                           "1/999999999999999999", "1000", "1000000000/1"}) {
    std::string text = cantFail(TimeScale::parse(rate)).toString();
    TimeScale again = cantFail(TimeScale::parse(text));
    EXPECT_EQ(again.toString(), text);
    EXPECT_EQ(text, StringRef(rate));
  }
  EXPECT_EQ(cantFail(TimeScale::parse("4/8")).toString(), "0.5");
  EXPECT_EQ(TimeScale(25, 100).toString(), "0.25");
}

TEST(TimeScale, refusesWhatIsNoRate) {
  const std::string shape =
      " is not a number of nanoseconds a count (a decimal like 0.4, of at most "
      "9 digits before and after the point, or a fraction like 125/3)";
  for (const char *text :
       {"", ".5", "1.", "-1", "+1", "1e3", "0x10", "1,5", "nan", "1.2.3", "1/", "/2", "1/2/3",
        "1/-2", "1234567890", "0.1234567890", "1/1234567890123456789", " 1"})
    EXPECT_EQ(toString(TimeScale::parse(text).takeError()),
              (Twine("'") + text + "'" + shape).str());
  for (const char *text : {"0", "0.0", "0/1", "1/0"})
    EXPECT_EQ(
        toString(TimeScale::parse(text).takeError()),
        (Twine("'") + text + "' is no rate: neither a count nor a nanosecond may take 0").str());
}

} // namespace
