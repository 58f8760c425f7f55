// SPDX-License-Identifier: Apache-2.0
#include "warpo/Support/NumberedName.h"
#include <gtest/gtest.h>

using namespace warpo;

TEST(NumberedName, IsReadAndWritten) {
  const struct {
    const char *text;
    uint32_t index;
    uint64_t bodyHash;
  } cases[] = {
      {"func[0]", 0, 0},
      {"func[4294967295]", UINT32_MAX, 0},
      {"func[12]#00c9e02a51f3b684", 12, 0xc9e02a51f3b684},
      {"func[12]#ffffffffffffffff", 12, UINT64_MAX},
  };
  for (const auto &[text, index, bodyHash] : cases) {
    auto name = NumberedName::parse(text);
    ASSERT_TRUE(name) << text;
    EXPECT_EQ(name->index, index) << text;
    EXPECT_EQ(name->bodyHash, bodyHash) << text;
    EXPECT_EQ(name->text(), text);
  }
  EXPECT_EQ(NumberedName::parse("wasm-function[12]")->index, 12u);
}

TEST(NumberedName, IsNoOtherName) {
  for (const char *text :
       {"", "func", "func[]", "func[x]", "func[-1]", "func[1", "func[1] ", "func[4294967296]",
        "function[1]", "func[1]#", "func[1]#1", "func[1]#00c9e02a51f3b68g",
        "func[1]#00c9e02a51f3b6844", "func[1]#-0c9e02a51f3b684", "func[1] (part)"})
    EXPECT_FALSE(NumberedName::parse(text)) << text;
}
