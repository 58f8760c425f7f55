//===- InstructionCounts.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/InstructionCounts.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

// A place in the run that an instruction belongs to. A `catch` belongs to the run behind it:
// exceptions that arrive at the handler pass it.
static const uint8_t *placeInRun(const wasm::Instruction &instruction) {
  bool isCatch =
      instruction.info->role == wasm::OpcodeRole::continues && *instruction.begin != "else"_op;
  return isCatch ? instruction.end : instruction.begin;
}

void warpo::forEachReachable(const wasm::Module &module, const FunctionCounts &function,
                             function_ref<void(const wasm::Instruction &, uint64_t)> visit) {
  static const wasm::FuelCosts costs;
  const wasm::ByteRange &body = module.bodies[function.index - module.importedFunctionCount()];
  const std::vector<FlowRun> &runs = function.graph.runs;
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  size_t run = 0;
  for (wasm::Instruction instruction; walker.next(instruction);) {
    if (!costs[*instruction.info])
      continue;
    auto place = uint32_t(placeInRun(instruction) - body.bytes.data());
    while (run != runs.size() && runs[run].end <= place)
      ++run;
    // Code that nothing reaches is in no run.
    if (run == runs.size() || place < runs[run].begin)
      continue;
    if (uint64_t executions = function.counts.runs[run]; executions != FlowCounts::unknown)
      visit(instruction, executions);
  }
}

void warpo::forEachExecuted(
    const ModuleCounts &counts,
    function_ref<void(uint32_t, const wasm::Instruction &, uint64_t)> visit) {
  counts.forEachExecuted([&](const FunctionCounts &function) {
    forEachReachable(counts.module(), function,
                     [&](const wasm::Instruction &instruction, uint64_t executions) {
                       if (executions)
                         visit(function.index, instruction, executions);
                     });
  });
}
