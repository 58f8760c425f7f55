//===- ModuleCountsTest.cpp - The counts of a module's functions ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/ModuleCounts.h"
#include "CountSum.h"
#include "warpo/Wasm/CodeTraits.h"
#include "warpo/Wasm/Module.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

// Three functions that do nothing, of code `i32.const 1  drop  end`.
static const uint8_t threeFunctions[] = {0, 'a', 's',  'm', 1,    0,    0, 0, 1,    4,  1,    0x60,
                                         0, 0,   3,    4,   3,    0,    0, 0, 10,   19, 3, //
                                         5, 0,   0x41, 1,   0x1a, 0x0b, 5, 0, 0x41, 1,  0x1a, 0x0b,
                                         5, 0,   0x41, 1,   0x1a, 0x0b};

static std::vector<uint32_t> executedOf(const wasm::Module &module, const LeftCalls &left) {
  CountData data;
  data.moduleHash = wasm::ModuleIdentity::ofOriginal(module.bytes).originalHash;
  CounterPlan plan = cantFail(planCounters(module, data.options));
  data.fingerprint = plan.fingerprint;
  data.instances = 1;
  data.counters.resize(plan.counters);
  data.counters[plan.functions[1].first] = 7;
  data.left = left;
  CountSums sums;
  cantFail(sums.add(encodeSum(data), "a.counts"));
  ModuleCounts counts = cantFail(ModuleCounts::create(module, sums));
  std::vector<uint32_t> executed;
  counts.forEachExecuted([&](const FunctionCounts &each) { executed.push_back(each.index); });
  return executed;
}

TEST(ModuleCountsTest, WalksFunctionsThatWereExecutedWithoutTheOthers) {
  wasm::Module module = cantFail(wasm::readModule(threeFunctions, "m"));
  EXPECT_EQ(executedOf(module, {}), (std::vector<uint32_t>{1}));
  // The program may have ended within a call that no counter shows.
  LeftCalls left;
  left.calls[{2, 0}] = 1;
  EXPECT_EQ(executedOf(module, left), (std::vector<uint32_t>{1, 2}));
}

// The code of a function whose body has four bytes behind its declarations.
static std::optional<uint8_t> traitsOf(std::array<uint8_t, 4> code) {
  std::vector<uint8_t> bytes = {0, 'a', 's', 'm', 1, 0, 0,  0, 1, 4, 1, 0x60,
                                0, 0,   3,   2,   1, 0, 10, 7, 1, 5, 0};
  bytes.insert(bytes.end(), code.begin(), code.end());
  wasm::Module module = cantFail(wasm::readModule(bytes, "m"));
  return cantFail(planCounters(module, {})).functions.front().traits;
}

TEST(CounterPlanTest, KnowsTheTraitsOfCodeThatCanBeCopied) {
  using namespace wasm::code_traits;
  EXPECT_EQ(traitsOf({0x01, 0x01, 0x01, 0x0b}), 0);
  EXPECT_EQ(traitsOf({0x10, 0x00, 0x01, 0x0b}), mayThrow);
  EXPECT_EQ(traitsOf({0x00, 0x12, 0x00, 0x0b}), callsAtEnd);
  EXPECT_EQ(traitsOf({0x10, 0x01, 0x01, 0x0b}), std::nullopt);
  EXPECT_EQ(traitsOf({0xd2, 0x01, 0x1a, 0x0b}), std::nullopt);
  EXPECT_EQ(traitsOf({0x01, 0x01, 0x0b, 0x0b}), std::nullopt);
}
