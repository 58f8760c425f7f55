//===- FrequencyHints.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// V8 can count 64 calls that it inlines into a function. If it inlines a function that makes calls
// and has no hint, it can exceed that number and then ends the process (--no-liftoff). Therefore
// each function that makes calls has a hint.
//
//===----------------------------------------------------------------------===//

#include "warpo/Counts/FrequencyHints.h"
#include "warpo/Counts/InstructionCounts.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// The functions that the module refers to.
class References {
public:
  References(const wasm::Module &module, const BitVector &referenced)
      : module_(module), referenced_(referenced) {}

  /// The only one that a call by this type may reach; nothing if there are several or none.
  std::optional<uint32_t> onlyOneOf(uint32_t type);

private:
  const wasm::Module &module_;
  const BitVector &referenced_;
  std::map<uint32_t, std::optional<uint32_t>> known_;
};

} // namespace

std::optional<uint32_t> References::onlyOneOf(uint32_t type) {
  auto [known, isNew] = known_.try_emplace(type);
  if (!isNew)
    return known->second;
  for (unsigned function : referenced_.set_bits()) {
    if (!wasm::mayReach(module_, type, function))
      continue;
    if (known->second)
      return known->second = std::nullopt;
    known->second = function;
  }
  return known->second;
}

static bool isCallByReference(uint8_t opcode) {
  return opcode == "call_indirect"_op || opcode == "call_ref"_op;
}

static bool isCall(const wasm::Instruction &instruction) {
  uint8_t opcode = *instruction.begin;
  return opcode == "call"_op || isCallByReference(opcode) ||
         instruction.info->role == wasm::OpcodeRole::tailCalls;
}

// log2 of the executions for each call of the function, plus 32. 0 would mean: never optimise.
static std::string encodeFrequency(uint64_t executions, uint64_t entries) {
  constexpr double once = 32, least = 1, most = 64;
  double ratio = double(executions) / double(std::max<uint64_t>(entries, 1));
  return std::string(1, char(std::clamp(std::floor(std::log2(ratio)) + once, least, most)));
}

// Rounded down, so that all percentages are 100 at most.
static std::string encodeTargets(ArrayRef<ReachedFunction> targets) {
  uint64_t all = 0;
  for (const ReachedFunction &target : targets)
    all = SaturatingAdd(all, target.calls);
  std::string payload;
  for (const ReachedFunction &target : targets)
    if (auto percent = uint64_t(100.0 * double(target.calls) / double(all)))
      payload +=
          wasm::hintNumber(target.function) + wasm::hintNumber(std::min<uint64_t>(percent, 100));
  return payload;
}

Expected<FrequencyHints> warpo::findFrequencyHints(const ModuleCounts &counts,
                                                   const TracedCalls &traced) {
  const wasm::Module &module = counts.module();
  auto referenced = wasm::referencedFunctions(module, /*exports=*/false);
  if (!referenced)
    return referenced.takeError();
  References references(module, *referenced);
  FrequencyHints hints;
  counts.forEach([&](const FunctionCounts &function) {
    const uint8_t *body =
        module.bodies[function.index - module.importedFunctionCount()].bytes.data();
    uint64_t entries = function.counts.entries();
    ReachedFunctions targets = findReachedFunctions(counts, function, traced);
    auto visit = [&](const wasm::Instruction &call, uint64_t executions) {
      if (!isCall(call) || (!entries && hints.frequencies.count(function.index)))
        return;
      auto offset = uint32_t(call.begin - body);
      hints.frequencies[function.index][offset] = encodeFrequency(executions, entries);
      if (!executions || !isCallByReference(*call.begin))
        return;
      std::vector<ReachedFunction> reached;
      if (auto target = references.onlyOneOf(call.index()))
        reached.push_back({*target, executions});
      else if (auto known = targets.find(offset); known != targets.end())
        reached = std::move(known->second);
      if (std::string payload = encodeTargets(reached); !payload.empty())
        hints.targets[function.index][offset] = std::move(payload);
    };
    forEachReachable(module, function, visit);
  });
  return hints;
}
