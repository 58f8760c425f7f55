//===- BranchHints.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/BranchHints.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

// Whether `part` is at most `percent` % of `whole`.
static bool isRare(uint64_t part, uint64_t whole, unsigned percent) {
  return part <= whole / 100 * percent + whole % 100 * percent / 100;
}

BranchHints warpo::findBranchHints(const ModuleCounts &counts, const HintThresholds &thresholds) {
  BranchHints result;
  const wasm::Module &module = counts.module();
  counts.forEach([&](const FunctionCounts &function) {
    const uint8_t *body =
        module.bodies[function.index - module.importedFunctionCount()].bytes.data();
    for (const FlowBranch &branch : function.graph.branches) {
      uint8_t opcode = body[branch.offset];
      if (opcode != "if"_op && opcode != "br_if"_op)
        continue;
      uint64_t taken = function.counts.edges[branch.arms[0]];
      uint64_t passed = function.counts.edges[branch.arms[1]];
      if (taken == FlowCounts::unknown || passed == FlowCounts::unknown)
        continue;
      uint64_t all = SaturatingAdd(taken, passed);
      result.executedBranches += all != 0;
      if (all < thresholds.leastExecutions)
        continue;
      if (isRare(taken, all, thresholds.rarePercent))
        result.hints[function.index][branch.offset] = std::string(1, '\0');
      else if (isRare(passed, all, thresholds.rarePercent))
        result.hints[function.index][branch.offset] = std::string(1, '\1');
    }
  });
  return result;
}
