//===- ByteCursorTest.cpp - Numbers at their limits -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/ByteCursor.h"
#include <climits>
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

using Bytes = std::vector<uint8_t>;

template <typename T> struct Case {
  const char *name;
  Bytes bytes;
  T value;
  /// Empty if the number can be read.
  const char *error = "";
};

template <typename T, typename Read> void check(std::initializer_list<Case<T>> cases, Read read) {
  for (const Case<T> &c : cases) {
    ByteCursor cursor(c.bytes);
    T value = read(cursor);
    EXPECT_EQ(toString(cursor.takeError("in")), c.error) << c.name;
    EXPECT_EQ(value, c.value) << c.name;
    EXPECT_TRUE(cursor.atEnd()) << c.name;
  }
}

TEST(ByteCursor, unsignedOf32Bits) {
  check<uint32_t>(
      {{"zero", {0}, 0},
       {"oneByte", {0x7f}, 127},
       {"twoBytes", {0x80, 0x01}, 128},
       {"padded", {0x80, 0x80, 0x80, 0x80, 0x00}, 0},
       {"largest", {0xff, 0xff, 0xff, 0xff, 0x0f}, UINT32_MAX},
       {"tooLarge", {0xff, 0xff, 0xff, 0xff, 0x1f}, 0, "in:0x4: number too large for 32 bits"},
       {"tooLong", {0x80, 0x80, 0x80, 0x80, 0x80, 0x00}, 0, "in:0x5: number too long for 32 bits"},
       {"cut", {0x80, 0x80}, 0, "in:0x2: unexpected end: 1 byte wanted, 0 left"},
       {"empty", {}, 0, "in:0x0: unexpected end: 1 byte wanted, 0 left"}},
      [](ByteCursor &cursor) { return cursor.uleb32(); });
}

TEST(ByteCursor, unsignedOf64Bits) {
  check<uint64_t>(
      {{"largest", {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, UINT64_MAX},
       {"tooLarge",
        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
        0,
        "in:0x9: number too large for 64 bits"}},
      [](ByteCursor &cursor) { return cursor.uleb64(); });
}

TEST(ByteCursor, signedNumbers) {
  check<int32_t>(
      {{"minusOne", {0x7f}, -1},
       {"sixtyThree", {0x3f}, 63},
       {"minusSixtyFour", {0x40}, -64},
       {"largest", {0xff, 0xff, 0xff, 0xff, 0x07}, INT32_MAX},
       {"smallest", {0x80, 0x80, 0x80, 0x80, 0x78}, INT32_MIN},
       {"minusOnePadded", {0xff, 0xff, 0xff, 0xff, 0x7f}, -1},
       {"tooLarge", {0xff, 0xff, 0xff, 0xff, 0x0f}, 0, "in:0x4: number too large for 32 bits"},
       {"tooSmall", {0x80, 0x80, 0x80, 0x80, 0x70}, 0, "in:0x4: number too large for 32 bits"}},
      [](ByteCursor &cursor) { return cursor.sleb32(); });
  check<int64_t>(
      {{"largest", {0xff, 0xff, 0xff, 0xff, 0x0f}, (int64_t(1) << 32) - 1},
       {"smallest", {0x80, 0x80, 0x80, 0x80, 0x70}, -(int64_t(1) << 32)},
       {"tooLarge", {0x80, 0x80, 0x80, 0x80, 0x10}, 0, "in:0x4: number too large for 33 bits"}},
      [](ByteCursor &cursor) { return cursor.sleb33(); });
  check<int64_t>(
      {{"largest", {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00}, INT64_MAX},
       {"smallest", {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, INT64_MIN},
       {"tooLarge",
        {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
        0,
        "in:0x9: number too large for 64 bits"}},
      [](ByteCursor &cursor) { return cursor.sleb64(); });
}

TEST(ByteCursor, fixedNumbersAreLittleEndian) {
  Bytes bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  ByteCursor cursor(bytes, /*baseOffset=*/0x100);
  EXPECT_EQ(cursor.u8(), 1u);
  EXPECT_EQ(cursor.u32(), 0x05040302u);
  EXPECT_EQ(cursor.u64(), 0x0d0c0b0a09080706u);
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.offset(), 0x10du);
  EXPECT_EQ(cursor.u32(), 0u);
  EXPECT_EQ(toString(cursor.takeError("in")), "in:0x10d: unexpected end: 4 bytes wanted, 0 left");
}

TEST(ByteCursor, theFirstFailureSticks) {
  Bytes bytes{5, 'a', 'b', 'c'};
  ByteCursor cursor(bytes);
  EXPECT_EQ(cursor.sizedString(), "");
  EXPECT_EQ(cursor.u8(), 0u);
  EXPECT_EQ(cursor.uleb64(), 0u);
  cursor.fail("later");
  EXPECT_EQ(toString(cursor.takeError("in")), "in:0x1: unexpected end: 5 bytes wanted, 3 left");
}

} // namespace
