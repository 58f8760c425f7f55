//===- SourceUrlTest.cpp - Links to places in the source ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/SourceUrl.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

TEST(SourceUrl, HasFileAndLine) {
  struct {
    const char *pattern, *file;
    uint32_t line;
    const char *wanted;
  } table[] = {
      {"https://a.org/{file}#L{line}", "src/app.c", 12, "https://a.org/src/app.c#L12"},
      {"https://a.org/{file}#L{line}", "app.c", 0, "https://a.org/app.c#L1"},
      {"https://a.org/{file}", "app.c", 12, "https://a.org/app.c"},
      {"https://a.org/{file}#L{line}", "", 12, ""},
      {"vscode://file/{file}:{line}", "/src/a.c", 3, "vscode://file//src/a.c:3"},
      // What means something in an address or around it; texts are put in once.
      {"https://a.org/{file}#{line}", "a b#c?d\"<%.c", 1,
       "https://a.org/a%20b%23c%3Fd%22%3C%25.c#1"},
      {"https://a.org/{file}#{line}", "{line}/{file}", 1, "https://a.org/%7Bline%7D/%7Bfile%7D#1"},
      {"https://a.org/{file}", "\xc3\xa9.c", 1, "https://a.org/%C3%A9.c"},
  };
  for (const auto &[pattern, file, line, wanted] : table)
    EXPECT_EQ(cantFail(SourceUrl::create(pattern)).of(file, line), wanted);
  EXPECT_EQ(SourceUrl().of("app.c", 1), "");
}

TEST(SourceUrl, IsAnAddress) {
  for (const char *pattern :
       {"", "https://a.org/app.c", "{file}", "javascript:alert('{file}')", "//a.org/{file}",
        "://a.org/{file}", "1a://{file}", "java script://{file}"}) {
    auto url = SourceUrl::create(pattern);
    EXPECT_FALSE(bool(url)) << pattern;
    consumeError(url.takeError());
  }
}

} // namespace
