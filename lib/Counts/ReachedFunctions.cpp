//===- ReachedFunctions.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Counts/InstructionCounts.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// The executed calls of a function.
struct ExecutedCalls {
  struct ByReference {
    uint32_t offset = 0;
    uint32_t type = 0;
  };

  std::set<uint32_t> named;
  std::vector<ByReference> byReference;

  /// Those that may have reached a function.
  SmallVector<uint32_t, 2> reaching(const wasm::Module &module, uint32_t callee) const {
    SmallVector<uint32_t, 2> offsets;
    for (const ByReference &call : byReference)
      if (wasm::mayReach(module, call.type, callee))
        offsets.push_back(call.offset);
    return offsets;
  }
};

} // namespace

static ExecutedCalls executedCallsOf(const wasm::Module &module, const FunctionCounts &function) {
  ExecutedCalls calls;
  const uint8_t *body = module.bodies[function.index - module.importedFunctionCount()].bytes.data();
  forEachReachable(module, function, [&](const wasm::Instruction &call, uint64_t executions) {
    uint8_t opcode = *call.begin;
    if (!executions)
      return;
    // What tail calls reach is recorded as called by the function's caller.
    if (opcode == "call"_op)
      calls.named.insert(call.index());
    else if (opcode == "call_indirect"_op || opcode == "call_ref"_op)
      calls.byReference.push_back({uint32_t(call.begin - body), call.index()});
  });
  return calls;
}

ReachedFunctions warpo::findReachedFunctions(const ModuleCounts &counts,
                                             const FunctionCounts &function,
                                             const TracedCalls &traced) {
  ReachedFunctions targets;
  auto callees = traced.find(function.index);
  if (callees == traced.end())
    return targets;
  const wasm::Module &module = counts.module();
  ExecutedCalls calls = executedCallsOf(module, function);
  std::set<uint32_t> ambiguous;
  for (auto [callee, count] : callees->second) {
    if (callee >= module.functionCount() || calls.named.count(callee))
      continue;
    SmallVector<uint32_t, 2> reaching = calls.reaching(module, callee);
    if (reaching.size() == 1)
      targets[reaching.front()].push_back({callee, count});
    else
      ambiguous.insert(reaching.begin(), reaching.end());
  }
  for (uint32_t offset : ambiguous)
    targets.erase(offset);
  for (auto &[offset, reached] : targets)
    llvm::sort(reached, [](const ReachedFunction &a, const ReachedFunction &b) {
      return std::tuple(b.calls, a.function) < std::tuple(a.calls, b.function);
    });
  return targets;
}
