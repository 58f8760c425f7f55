//===- ProbeBudget.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/ProbeBudget.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// Leaving out a function is never worth it if its trace points take less than this part of the
/// budget: such functions show most of a program's structure.
constexpr double negligiblePart = 1e-4;
/// The least worth of tracing a function, as a share of the time. A caller is worth more than a
/// leaf, as it also shows where its callees are called from. So of two functions with the same time
/// the leaf is left out first.
constexpr double leafWorth = 1e-4;
constexpr double callerWorth = 1e-3;

/// The assumed iterations of a loop, and the nanoseconds of an instruction.
constexpr double loopRounds = 8;
constexpr double instructionTime = 0.5;
/// Deeper loops count like loops of this depth.
constexpr size_t maxLoops = 4;

/// Candidates are sorted in the order in which functions are kept.
struct Candidate {
  uint32_t function;
  bool isFirst;
  double costPerWorth;

  bool operator<(const Candidate &other) const {
    return std::tuple(!isFirst, costPerWorth, function) <
           std::tuple(!other.isFirst, other.costPerWorth, other.function);
  }
};

} // namespace

BudgetChoice warpo::chooseWithinBudget(ArrayRef<FunctionUse> uses, ArrayRef<uint32_t> candidates,
                                       const ProbeBudget &budget) {
  double allowed = (budget.times - 1) * budget.plainTime;
  auto costOf = [&](const FunctionUse &use) { return use.calls * budget.callCost; };
  auto shareOf = [&](const FunctionUse &use) {
    return budget.plainTime > 0 ? use.self / budget.plainTime : 0;
  };
  auto isHot = [&](const FunctionUse &use) { return shareOf(use) > hotShare; };

  BudgetChoice choice;
  std::vector<Candidate> order;
  for (uint32_t function : candidates) {
    const FunctionUse &use = uses[function];
    choice.calls += use.calls;
    if (isHot(use))
      choice.hotCalls += use.calls;
    double cost = costOf(use);
    double worth = shareOf(use) + (use.callsOthers ? callerWorth : leafWorth);
    order.push_back({function, isHot(use) || cost <= negligiblePart * allowed, cost / worth});
  }
  llvm::sort(order);
  double spent = 0;
  for (const Candidate &candidate : order) {
    const FunctionUse &use = uses[candidate.function];
    if (use.isKnown && spent + costOf(use) <= allowed) {
      spent += costOf(use);
      choice.keptCalls += use.calls;
      continue;
    }
    choice.leftOut.push_back(candidate.function);
    if (isHot(use))
      choice.hotLeftOut.push_back(candidate.function);
  }
  llvm::sort(choice.leftOut);
  llvm::sort(choice.hotLeftOut, [&](uint32_t a, uint32_t b) {
    return std::tuple(-uses[a].self, a) < std::tuple(-uses[b].self, b);
  });
  return choice;
}

// Adds the self time of a function and its calls of other functions.
static Error addCode(const wasm::Module &module, uint32_t function,
                     std::vector<FunctionUse> &uses) {
  ByteCursor cursor = module.bodies[function - module.importedFunctionCount()].cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  // The depths of the open loops.
  SmallVector<uint32_t> loops;
  double instructions = 0;
  for (wasm::Instruction instruction; walker.next(instruction);) {
    while (!loops.empty() && instruction.depth <= loops.back())
      loops.pop_back();
    double rounds = std::pow(loopRounds, double(std::min(loops.size(), maxLoops)));
    instructions += rounds;
    uint8_t opcode = *instruction.begin;
    bool isDirect = opcode == "call"_op || opcode == "return_call"_op;
    if (isDirect && instruction.index() < uses.size())
      uses[instruction.index()].calls += rounds;
    uses[function].callsOthers |= isDirect || opcode == "call_indirect"_op ||
                                  opcode == "call_ref"_op ||
                                  instruction.info->role == wasm::OpcodeRole::tailCalls;
    if (opcode == "loop"_op)
      loops.push_back(instruction.depth);
  }
  uses[function].self = instructions * instructionTime;
  return cursor.takeError(module.fileName);
}

Expected<std::vector<FunctionUse>> warpo::guessUses(const wasm::Module &module) {
  // One call of each from elsewhere, as by the host or through a table.
  std::vector<FunctionUse> uses(module.functionCount(), {.calls = 1, .isKnown = true});
  for (uint32_t i = module.importedFunctionCount(); i < module.functionCount(); ++i)
    if (Error error = addCode(module, i, uses))
      return error;
  for (FunctionUse &use : uses)
    use.self *= use.calls;
  return uses;
}
