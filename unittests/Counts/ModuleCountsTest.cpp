//===- ModuleCountsTest.cpp - The counts of a module's functions ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/ModuleCounts.h"
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
  cantFail(sums.add(encodeCounts(data), "a.counts"));
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
