//===- BranchHints.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/BranchHints.h"
#include "RunDominators.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

// Whether `part` is at most `percent` % of `whole`.
static bool isRare(uint64_t part, uint64_t whole, unsigned percent) {
  return part <= whole / 100 * percent + whole % 100 * percent / 100;
}

namespace {

/// What engines move out of the way with the unlikely side of a branch: all that is only reached
/// through it.
class CodeBehind {
public:
  void find(const FunctionCounts &function);
  /// The largest count of an edge and the runs that are only reached through it.
  uint64_t most(const FunctionCounts &function, uint32_t edge) const;

private:
  RunDominators dominators_;
  /// By run: the largest count of it and the runs below it.
  std::vector<uint64_t> most_;
};

} // namespace

void CodeBehind::find(const FunctionCounts &function) {
  dominators_.find(function.graph);
  most_ = function.counts.runs;
  for (uint64_t &count : most_)
    if (count == FlowCounts::unknown)
      count = 0; // a run that costs nothing
  for (uint32_t run = uint32_t(most_.size()); --run != 0;) {
    uint64_t &above = most_[dominators_.above(run)];
    above = std::max(above, most_[run]);
  }
}

uint64_t CodeBehind::most(const FunctionCounts &function, uint32_t edge) const {
  uint64_t count = function.counts.edges[edge];
  const FlowEdge &way = function.graph.edges[edge];
  return dominators_.isOnlyWay(way) ? std::max(count, most_[way.to]) : count;
}

BranchHints warpo::findBranchHints(const ModuleCounts &counts, const HintThresholds &thresholds) {
  BranchHints result;
  const wasm::Module &module = counts.module();
  CodeBehind behind;
  counts.forEach([&](const FunctionCounts &function) {
    const uint8_t *body =
        module.bodies[function.index - module.importedFunctionCount()].bytes.data();
    behind.find(function);
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
      auto isRarelyIn = [&](size_t arm) {
        return isRare(behind.most(function, branch.arms[arm]), all, thresholds.rarePercent);
      };
      if (isRarelyIn(0))
        result.hints[function.index][branch.offset] = std::string(1, '\0');
      else if (isRarelyIn(1))
        result.hints[function.index][branch.offset] = std::string(1, '\1');
    }
  });
  return result;
}
