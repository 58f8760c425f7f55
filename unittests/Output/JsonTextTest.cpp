//===- JsonTextTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "text/JsonText.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

TEST(JsonText, StringsAreReadBackAsTheyWere) {
  const StringRef texts[] = {
      "",          "plain",    "a\"b\\c", "a\nb\tc\r", StringRef("\0\x01\x1f\x7f", 4),
      "naïve ✓ 𝄞", "</script>"};
  for (StringRef text : texts) {
    Expected<json::Value> value = json::parse(jsonString(text));
    ASSERT_TRUE(bool(value)) << jsonString(text);
    EXPECT_EQ(value->getAsString(), text);
  }
}

TEST(JsonText, RepairsWhatIsNotUtf8) {
  EXPECT_EQ(jsonString("\xff"
                       "a\xc3"),
            "\"\ufffda\ufffd\"");
  // A lone surrogate.
  EXPECT_TRUE(json::isUTF8(jsonString("\xed\xa0\x80")));
}

TEST(JsonText, WritesNumbers) {
  const std::pair<uint64_t, StringRef> cases[] = {
      {0, "0.000"},    {7, "0.007"},          {999, "0.999"},
      {1000, "1.000"}, {1234567, "1234.567"}, {UINT64_MAX, "18446744073709551.615"}};
  for (auto [value, text] : cases) {
    char bytes[maxDecimal + 1];
    char *end = writeThousandths(bytes, value);
    EXPECT_EQ(StringRef(bytes, size_t(end - bytes)), text);
  }
}
