//===- CounterExports.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CounterExports.h"
#include "warpo/Wasm/ModuleEditor.h"

using namespace llvm;
using namespace warpo;

std::optional<StringRef> warpo::exportOfCounter(const NativeUnit &unit, wasm::Counter counter) {
  std::optional<uint32_t> global = unit.indexOf(counter);
  if (!global)
    return std::nullopt;
  StringRef added = wasm::counterInfo(counter).global;
  bool isTaken = false;
  for (const wasm::Export &entry : unit.module.exports) {
    if (entry.kind == wasm::ExternalKind::global && entry.index == *global)
      return entry.name;
    isTaken |= entry.name == added;
  }
  return isTaken ? std::nullopt : std::optional(added);
}

Expected<SmallVector<uint8_t, 0>> warpo::exportCounters(const NativeUnit &unit) {
  wasm::ModuleEditor editor(unit.module);
  for (const wasm::CounterInfo &info : wasm::counters()) {
    // Counters that the module itself exports keep their names.
    auto name = exportOfCounter(unit, info.counter);
    bool isOwn = !name || any_of(unit.module.exports,
                                 [&](const wasm::Export &entry) { return entry.name == *name; });
    if (isOwn)
      continue;
    if (Error error =
            editor.exportGlobal(*name, {wasm::GlobalRef::original, *unit.indexOf(info.counter)}))
      return error;
  }
  SmallVector<uint8_t, 0> bytes;
  auto written = editor.write([](uint32_t, wasm::FunctionEdit &) {}, bytes);
  if (!written)
    return written.takeError();
  return bytes;
}
