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
      {"no call", {0, 0x20, 0, 0x41, 5, 0x6a, 0x0b}, false},
  };
  for (const auto &test : cases)
    EXPECT_EQ(hashBody(test.body) == hashBody(body), test.isSame) << test.name;
}

TEST(BodyHash, IsNoneOfWhatCannotBeRead) {
  EXPECT_EQ(hashBody(Body{}), 0u);
  EXPECT_EQ(hashBody(Body{0}), 0u);
  EXPECT_EQ(hashBody(Body{0, 0xff, 0x0b}), 0u);
  EXPECT_NE(hashBody(Body{0, 0x0b}), 0u);
}
