//===- HeapCallers.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapCallers.h"
#include "CallInstructions.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// A direct call.
struct NamedCall {
  uint32_t callee, caller;
};

} // namespace

static bool grows(const wasm::Instruction &instruction) {
  constexpr uint8_t prefix = 0xfc, tableGrow = 0x0f;
  return *instruction.begin == "memory.grow"_op ||
         instruction.info == &wasm::prefixedOpcode(prefix, tableGrow);
}

bool warpo::growsOrCallsAny(const wasm::Instruction &instruction) {
  return grows(instruction) || callsAny(instruction);
}

static bool isNamedCall(const wasm::Instruction &instruction) {
  return *instruction.begin == "call"_op || *instruction.begin == "return_call"_op;
}

/// Every function ends with `end`, so an instruction always follows the call.
static bool isFailure(const wasm::Instruction &call) { return *call.end == "unreachable"_op; }

Expected<BitVector> warpo::findHeapCallers(const wasm::Module &module, BitVector allocators,
                                           bool byGrowth, bool byFailures) {
  BitVector callers = std::move(allocators);
  callers.set(0, module.importedFunctionCount());
  std::vector<NamedCall> calls;
  for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i) {
    ByteCursor cursor = module.bodies[i - module.importedFunctionCount()].cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);) {
      if (!byFailures && (isNamedCall(instruction) || callsAny(instruction)) &&
          isFailure(instruction))
        continue;
      if (isNamedCall(instruction) && instruction.index() < module.functionCount())
        calls.push_back({instruction.index(), i});
      else if (callsAny(instruction) || (byGrowth && grows(instruction)))
        callers.set(i);
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

Expected<BitVector> warpo::findNestingAllocators(const wasm::Module &module,
                                                 const BitVector &allocators) {
  auto callers = findHeapCallers(module, allocators, /*byGrowth=*/false, /*byFailures=*/false);
  if (!callers)
    return callers.takeError();
  BitVector nesting(allocators.size());
  for (unsigned function : allocators.set_bits()) {
    ByteCursor cursor = module.bodies[function - module.importedFunctionCount()].cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);) {
      bool calls = callsAny(instruction) ||
                   (isNamedCall(instruction) && instruction.index() < callers->size() &&
                    callers->test(instruction.index()));
      if (calls && !isFailure(instruction))
        nesting.set(function);
    }
  }
  return nesting;
}
