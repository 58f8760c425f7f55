//===- HeapCallers.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapCallers.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// A function that calls another one by its name.
struct NamedCall {
  uint32_t callee, caller;
};

/// What an instruction does for the question.
enum class Effect { none, calls, mayTell };

} // namespace

static bool growsOrCallsAny(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases("memory.grow", "table.grow", true)
      .Cases("call_indirect", "return_call_indirect", "call_ref", "return_call_ref", true)
      .Cases("resume", "resume_throw", "resume_throw_ref", "suspend", "switch", true)
      .Default(false);
}

// By opcode: a table of names is asked once for each, not for each instruction.
static std::vector<Effect> effectsByOpcode() {
  std::vector<Effect> effects(wasm::opcodeCount, Effect::none);
  auto learn = [&](const wasm::OpcodeInfo &info) {
    if (!info.name)
      return;
    StringRef name = info.name;
    if (name == "call" || name == "return_call")
      effects[info.number] = Effect::calls;
    else if (growsOrCallsAny(name))
      effects[info.number] = Effect::mayTell;
  };
  for (const wasm::OpcodeInfo &info : wasm::oneByteOpcodes)
    learn(info);
  for (const wasm::OpcodeInfo *info : wasm::opcodesNamed("table.grow"))
    learn(*info);
  return effects;
}

Expected<BitVector> warpo::findHeapCallers(const wasm::Module &module, BitVector allocators) {
  BitVector callers = std::move(allocators);
  callers.resize(module.functionCount());
  callers.set(0, module.importedFunctionCount());
  const std::vector<Effect> effects = effectsByOpcode();
  std::vector<NamedCall> calls;
  for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i) {
    ByteCursor cursor = module.bodies[i - module.importedFunctionCount()].cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);) {
      Effect effect = effects[instruction.info->number];
      if (effect == Effect::mayTell)
        callers.set(i);
      else if (effect == Effect::calls && instruction.index < module.functionCount())
        calls.push_back({instruction.index, i});
    }
    if (Error error = cursor.takeError(module.fileName))
      return error;
  }

  llvm::sort(calls, [](const NamedCall &left, const NamedCall &right) {
    return left.callee < right.callee;
  });
  SmallVector<uint32_t> left(callers.set_bits());
  while (!left.empty()) {
    auto [first, last] = std::equal_range(
        calls.begin(), calls.end(), NamedCall{left.pop_back_val(), 0},
        [](const NamedCall &one, const NamedCall &other) { return one.callee < other.callee; });
    for (const NamedCall &call : make_range(first, last)) {
      if (callers.test(call.caller))
        continue;
      callers.set(call.caller);
      left.push_back(call.caller);
    }
  }
  return callers;
}
