//===- ToolchainTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Toolchain/Binaryen.h"
#include "warpo/Toolchain/Helper.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

TEST(TextFormat, IsRecognised) {
  for (StringRef text : {"(module)", " \t\n;; comment\n(module)", "(;", ";;"})
    EXPECT_TRUE(isModuleText(text)) << text.str();
  for (StringRef text : {StringRef("\0asm\1\0\0\0", 8), StringRef(""), StringRef("  "),
                         StringRef("module"), StringRef("\0(", 2)})
    EXPECT_FALSE(isModuleText(text)) << text.str();
}

TEST(TextFormat, GoesThereAndBack) {
  auto binary = assembleModule("(func $f (export \"g\") nop)", "m.wat");
  ASSERT_TRUE(bool(binary)) << toString(binary.takeError());
  EXPECT_TRUE(StringRef(*binary).starts_with(StringRef("\0asm\1\0\0\0", 8)));
  auto text = moduleAsText(arrayRefFromStringRef(*binary), "m.wasm");
  ASSERT_TRUE(bool(text)) << toString(text.takeError());
  EXPECT_EQ(*text, "(module\n  (type (;0;) (func))\n  (func $f (type 0)\n    nop)\n"
                   "  (export \"g\" (func $f)))\n");
}

TEST(Optimization, LevelsAreThoseOfWasmOpt) {
  struct {
    const char *text;
    unsigned speed, size;
  } cases[] = {{"", 2, 1}, {"s", 2, 1}, {"z", 2, 2}, {"0", 0, 0}, {"3", 3, 0}, {"4", 4, 0}};
  for (const auto &test : cases) {
    auto level = OptimizationLevel::parse(test.text);
    ASSERT_TRUE(bool(level)) << toString(level.takeError());
    EXPECT_EQ(level->speed, test.speed) << test.text;
    EXPECT_EQ(level->size, test.size) << test.text;
  }
  for (const char *text : {"5", "-1", "fast", "2 "})
    EXPECT_EQ(toString(OptimizationLevel::parse(text).takeError()),
              std::string("-O") + text + " is not a level (known: 0 to 4, s, z)");
}

TEST(Helper, MissingOneIsSaid) {
  auto end = runHelper("warpo-absent", {}, "");
  ASSERT_FALSE(bool(end));
  EXPECT_TRUE(
      StringRef(toString(end.takeError())).starts_with("no libexec/warpo/warpo-absent in "));
}

TEST(Helper, UsageIsAMessage) {
  auto end = runHelper("warpo-wabt", {"dance"}, "");
  ASSERT_TRUE(bool(end)) << toString(end.takeError());
  EXPECT_EQ(end->exitCode, 1);
  EXPECT_EQ(end->words, "usage: warpo-wabt assemble|print");
}

} // namespace
