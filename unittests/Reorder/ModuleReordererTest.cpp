//===- ModuleReordererTest.cpp - What is written and measured -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Reorder/ModuleReorderer.h"
#include "../Wasm/TestModule.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

// Two functions, which lie in bytes 1 to 4 and 5 to 7 of the code. How many there are is written
// longer than it need be, as rewriting would not keep it.
Bytes twoFunctions() {
  return moduleOf({section(1, "01 60 00 00"), section(3, "8200 00 00"),
                   section(10, "02 03 00 01 0b 02 00 0b")});
}

TEST(ModuleReorderer, WhatStandsInTheOrderIsTheModule) {
  Bytes bytes = twoFunctions();
  auto module = cantFail(wasm::readModule(bytes, "m"));
  for (const std::vector<uint32_t> &order : {std::vector<uint32_t>{}, {0}, {0, 1}}) {
    auto result = reorderModule(module, order, {});
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    EXPECT_EQ(result->movedFunctions, 0u);
    EXPECT_EQ(hexOf(result->bytes), hexOf(bytes));
  }
  auto moved = reorderModule(module, {1}, {});
  ASSERT_TRUE(bool(moved)) << toString(moved.takeError());
  EXPECT_EQ(moved->movedFunctions, 2u);
  EXPECT_NE(hexOf(moved->bytes), hexOf(bytes));
}

TEST(ModuleReorderer, MeasuresTheFunctionsThatAreWanted) {
  Bytes bytes = twoFunctions();
  auto module = cantFail(wasm::readModule(bytes, "m"));
  const std::vector<uint32_t> none, first = {0};
  const struct {
    std::string name;
    bool measure;
    std::optional<ArrayRef<uint32_t>> startup;
    uint64_t before, after;
  } cases[] = {
      {"those of the order", true, std::nullopt, 8, 4},
      {"others", true, ArrayRef(first), 5, 8},
      {"none", true, ArrayRef(none), 0, 0},
      {"not at all", false, std::nullopt, 0, 0},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    ReorderOptions options;
    options.measure = test.measure;
    options.startup = test.startup;
    auto result = reorderModule(module, {1}, options);
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    EXPECT_EQ(result->before.startupSpan, test.before);
    EXPECT_EQ(result->after.startupSpan, test.after);
    EXPECT_EQ(result->before.moduleSize, test.measure ? bytes.size() : 0);
  }
}

// The first function ends where a page does; the second lies in the next one, behind its size.
TEST(CodeLayout, CountsThePagesThatFunctionsTouch) {
  Bytes bytes = moduleOf({section(1, "01 60 00 00"), section(3, "02 00 00")});
  auto append = [&](StringRef text) { append_range(bytes, bytesOf(text)); };
  append("0a 83 20  02  fd 1f 00");
  bytes.insert(bytes.end(), 4091, 0x01);
  append("0b  02 00 0b");
  auto module = wasm::readModule(bytes, "m");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  const struct {
    std::vector<uint32_t> startup;
    uint64_t span, pages;
  } cases[] = {{{}, 0, 0}, {{0}, 4096, 1}, {{1}, 4099, 1}, {{0, 1}, 4099, 2}, {{1, 0}, 4099, 2}};
  for (const auto &test : cases) {
    CodeLayout layout = measureLayout(*module, test.startup);
    EXPECT_EQ(layout.startupSpan, test.span);
    EXPECT_EQ(layout.startupPages, test.pages);
  }
}

} // namespace
