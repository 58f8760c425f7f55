//===- SourcePathsTest.cpp - Paths of source files, as they are shown -----===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/SourcePaths.h"
#include <gtest/gtest.h>

using namespace warpo;

namespace {

TEST(SourcePaths, LoseTheirDots) {
  struct {
    const char *path, *wanted;
  } table[] = {{"./app.ts", "app.ts"},       {"././/app.ts", "app.ts"},
               {".\\app.c", "app.c"},        {"./", "./"},
               {"../app.ts", "../app.ts"},   {".app", ".app"},
               {"/src/./a.c", "/src/./a.c"}, {"", ""}};
  for (const auto &[path, wanted] : table)
    EXPECT_EQ(plainPath(path), wanted) << path;
}

TEST(SourcePaths, AreTrimmedAndRooted) {
  struct {
    std::vector<std::string> prefixes;
    const char *root, *path, *wanted;
  } table[] = {
      {{}, "", "./a.c", "a.c"},
      {{}, "/home/me", "a.c", "/home/me/a.c"},
      {{}, "/home/me/", "./a.c", "/home/me/a.c"},
      {{}, "/home/me", "/usr/a.c", "/usr/a.c"},
      {{}, "/home/me", "C:\\src\\a.c", "C:\\src\\a.c"},
      {{}, "/home/me", "\\src\\a.c", "\\src\\a.c"},
      {{}, "/home/me", "webpack://app/a.ts", "webpack://app/a.ts"},
      {{}, "/home/me", "~lib/rt.ts", "/home/me/~lib/rt.ts"},
      {{"/build"}, "", "/build/a.c", "a.c"},
      {{"/build/"}, "", "/build//a.c", "a.c"},
      // A name ends where the prefix does, and something is left.
      {{"/build"}, "", "/builder/a.c", "/builder/a.c"},
      {{"/build/a.c"}, "", "/build/a.c", "/build/a.c"},
      {{"/build", "/build/app"}, "", "/build/app/a.c", "a.c"},
      {{"/build/app", "/build"}, "/src", "/build/lib/b.c", "/src/lib/b.c"},
      {{"C:\\src"}, "/src", "C:\\src\\a.c", "/src/a.c"},
      {{"./src"}, "", "./src/a.c", "a.c"},
      {{""}, "", "/a.c", "/a.c"},
  };
  for (const auto &[prefixes, root, path, wanted] : table)
    EXPECT_EQ(SourcePaths(prefixes, root)(path), wanted) << path;
}

} // namespace
