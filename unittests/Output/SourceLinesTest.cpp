// SPDX-License-Identifier: Apache-2.0
// Where a function is defined, in the formats that have a place for it.

#include "ProfileText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

void expectIn(StringRef text, StringRef part) { EXPECT_TRUE(text.contains(part)) << text.str(); }

// main of a.c calls f of b.c, and g, of which nobody knows.
test::ProfileInputs withLines() {
  test::ProfileInputs inputs;
  inputs.add({"main"}, 1);
  inputs.add({"main", "f"}, 4);
  inputs.add({"main", "g"}, 2);
  for (ProfileFunction &function : inputs.profile().functions) {
    function.file = function.name == "main" ? "a.c" : function.name == "f" ? "b.c" : "";
    function.line = function.name == "main" ? 10 : function.name == "f" ? 20 : 0;
  }
  return inputs;
}

TEST(SourceLines, ArePositionsOfCallgrind) {
  test::ProfileInputs inputs = withLines();
  // A callee's file holds for one call: each names its own.
  expectIn(test::write(inputs.profile(), "callgrind"), "ob=(1) ???\n"
                                                       "fl=(1) a.c\n"
                                                       "fn=(1) main\n"
                                                       "10 1 1\n"
                                                       "cob=(1)\n"
                                                       "cfi=(2) b.c\n"
                                                       "cfn=(2) f\n"
                                                       "calls=1 20\n"
                                                       "10 4 1\n"
                                                       "cob=(1)\n"
                                                       "cfi=(3) ???\n"
                                                       "cfn=(3) g\n"
                                                       "calls=1 0\n"
                                                       "10 2 1\n");
}

TEST(SourceLines, AreFilesOfFramesElsewhere) {
  const std::pair<StringRef, const char *> cases[] = {
      {"speedscope", R"({"name":"f","file":"b.c","line":20},
{"name":"g"}])"},
      // Lines count from 0 there.
      {"cpuprofile", R"("functionName":"f","scriptId":"0","url":"b.c","lineNumber":19,)"},
      {"csv", "2,1,2,f,,b.c,20,4,4,1,1\r\n3,1,2,g,,,,2,2,1,1\r\n"},
      {"json", R"({"name":"f","file":"b.c","line":20},
{"name":"g"}])"},
  };
  test::ProfileInputs inputs = withLines();
  for (const auto &[format, expected] : cases)
    expectIn(test::write(inputs.profile(), format), expected);
}

} // namespace
