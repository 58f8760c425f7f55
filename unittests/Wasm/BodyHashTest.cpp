// SPDX-License-Identifier: Apache-2.0
#include "warpo/Wasm/BodyHash.h"
#include <gtest/gtest.h>
#include <vector>

using warpo::wasm::hashBody;

using Body = std::vector<uint8_t>;

TEST(BodyHash, IsOfWhatTheCodeDoes) {
  // local.get 0, i32.const 5, i32.add, call 7, end
  const Body body = {0, 0x20, 0, 0x41, 5, 0x6a, 0x10, 7, 0x0b};
  const struct {
    const char *name;
    Body body;
    bool isSame;
  } cases[] = {
      {"the same", body, true},
      {"another function is called", {0, 0x20, 0, 0x41, 5, 0x6a, 0x10, 9, 0x0b}, true},
      {"its number takes two bytes", {0, 0x20, 0, 0x41, 5, 0x6a, 0x10, 0x87, 1, 0x0b}, true},
      {"another constant", {0, 0x20, 0, 0x41, 6, 0x6a, 0x10, 7, 0x0b}, false},
      {"another local", {0, 0x20, 1, 0x41, 5, 0x6a, 0x10, 7, 0x0b}, false},
      {"another operation", {0, 0x20, 0, 0x41, 5, 0x6b, 0x10, 7, 0x0b}, false},
      {"a constant that may be an address",
       {0, 0x20, 0, 0x41, 0x80, 8, 0x6a, 0x10, 7, 0x0b},
       false},
      {"no call", {0, 0x20, 0, 0x41, 5, 0x6a, 0x0b}, false},
  };
  for (const auto &test : cases)
    EXPECT_EQ(hashBody(test.body) == hashBody(body), test.isSame) << test.name;
}

// Data moves as functions do.
TEST(BodyHash, IsNotOfAddresses) {
  auto hashOf = [](Body code) {
    code.insert(code.begin(), 0);
    code.push_back(0x0b);
    return hashBody(code);
  };
  const struct {
    const char *name;
    Body one, other;
    bool isSame;
  } cases[] = {
      {"i32.const 1024 and 2048", {0x41, 0x80, 8}, {0x41, 0x80, 16}, true},
      {"i32.const 1023 and 1024", {0x41, 0xff, 7}, {0x41, 0x80, 8}, false},
      {"i32.const -1024 and -2048", {0x41, 0x80, 0x78}, {0x41, 0x80, 0x70}, true},
      {"i32.const -1 and -2", {0x41, 0x7f}, {0x41, 0x7e}, false},
      {"i64.const 1024 and 2048", {0x42, 0x80, 8}, {0x42, 0x80, 16}, true},
      {"i32.const and i64.const", {0x41, 0x80, 8}, {0x42, 0x80, 8}, false},
      {"offset 1024 and 2048", {0x28, 2, 0x80, 8}, {0x28, 2, 0x80, 16}, true},
      {"offset 8 and 12", {0x28, 2, 8}, {0x28, 2, 12}, false},
      {"of a lane", {0xfd, 0x54, 0, 0x80, 8, 1}, {0xfd, 0x54, 0, 0x81, 8, 2}, true},
      {"another alignment", {0x28, 2, 8}, {0x28, 1, 8}, false},
  };
  for (const auto &test : cases)
    EXPECT_EQ(hashOf(test.one) == hashOf(test.other), test.isSame) << test.name;
}

TEST(BodyHash, IsNoneOfWhatCannotBeRead) {
  EXPECT_EQ(hashBody(Body{}), 0u);
  EXPECT_EQ(hashBody(Body{0}), 0u);
  EXPECT_EQ(hashBody(Body{0, 0xff, 0x0b}), 0u);
  EXPECT_NE(hashBody(Body{0, 0x0b}), 0u);
}
