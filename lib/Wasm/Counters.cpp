//===- Counters.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Counters.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/OwnGlobals.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

ArrayRef<CounterInfo> wasm::counters() {
  static const CounterInfo all[] = {
      {Counter::fuel, "__warpo_get_fuel", "__warpo_set_fuel", "__warpo_fuel"},
      {Counter::fuelLimit, "__warpo_get_fuel_limit", "__warpo_set_fuel_limit",
       "__warpo_fuel_limit"},
      {Counter::sampleDue, "__warpo_get_sample_due", "__warpo_set_sample_due",
       "__warpo_sample_due"},
      {Counter::recording, "__warpo_get_recording", "__warpo_set_recording", "__warpo_recording"},
  };
  return all;
}

// The global that a getter returns; nothing if the function does anything else.
static std::optional<uint32_t> globalReadBy(const Module &module, uint32_t function) {
  if (module.isImported(function) || function >= module.functionCount())
    return std::nullopt;
  ByteCursor cursor = module.bodies[function - module.importedFunctionCount()].cursor();
  if (skipLocals(cursor) != 0 || cursor.u8() != "global.get"_op)
    return std::nullopt;
  uint32_t global = cursor.uleb32();
  bool isAll = cursor.u8() == "end"_op && cursor.ok() && cursor.atEnd();
  return isAll ? std::optional(global) : std::nullopt;
}

std::optional<uint32_t> wasm::findCounter(const Module &module, Counter counter) {
  const CounterInfo &info = counterInfo(counter);
  std::optional<uint32_t> found;
  for (const Export &entry : module.exports)
    if (entry.kind == ExternalKind::global && entry.name == info.global)
      found = entry.index;
    else if (entry.kind == ExternalKind::function && entry.name == info.getter)
      found = globalReadBy(module, entry.index);
  uint32_t imported = importedGlobalCount(module);
  if (!found || *found < imported)
    return std::nullopt;
  std::vector<OwnGlobal> globals = readOwnGlobals(module);
  if (*found - imported >= globals.size())
    return std::nullopt;
  const OwnGlobal &global = globals[*found - imported];
  return global.type == ValueType::i64 && global.isMutable ? found : std::nullopt;
}
