//===- CodeMapping.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CodeMapping.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;
using namespace warpo;

// Where the contents of the code section begin in a module that has one.
static uint64_t beginOfCode(ArrayRef<uint8_t> module) {
  constexpr uint64_t headerSize = 8;
  ByteCursor cursor(module);
  cursor.skip(headerSize);
  for (;;) {
    bool isCode = cursor.u8() == uint8_t(wasm::SectionId::code);
    uint32_t size = cursor.uleb32();
    if (isCode || !cursor.ok())
      return cursor.offset();
    cursor.skip(size);
  }
}

// Gives `head` where the code section's contents begin and where the original's functions end, then
// `add` the moves of all code.
static void forEachMove(const wasm::Module &original, ArrayRef<uint8_t> rewritten,
                        const wasm::CodeMovements &movements,
                        function_ref<void(uint32_t, uint32_t)> head,
                        function_ref<void(CodeMap::Run)> add) {
  if (original.bodies.empty() || original.bytes.size() > UINT32_MAX ||
      rewritten.size() > UINT32_MAX)
    return head(0, 0);
  auto code = find_if(original.sections,
                      [](const wasm::Section &each) { return each.id == wasm::SectionId::code; });
  uint64_t oldBegin = code->contents.offset;
  wasm::CodeMovements::Body last = movements.body(original.functionCount() - 1);
  head(uint32_t(beginOfCode(rewritten)), uint32_t(last.begin + last.size));
  for (auto [index, before] : enumerate(original.bodies)) {
    wasm::CodeMovements::Body after =
        movements.body(original.importedFunctionCount() + uint32_t(index));
    for (const wasm::CopiedRun &run : after.runs)
      add({uint32_t(after.begin + run.newOffset),
           uint32_t(before.offset - oldBegin + run.oldOffset)});
  }
}

CodeMap warpo::mapCode(const wasm::Module &original, ArrayRef<uint8_t> rewritten,
                       const wasm::CodeMovements &movements) {
  CodeMap map;
  map.runs.reserve(movements.totalRuns());
  forEachMove(
      original, rewritten, movements,
      [&](uint32_t code, uint32_t end) { std::tie(map.code, map.end) = std::tuple(code, end); },
      [&](CodeMap::Run run) { map.add(run.instrumented, run.original); });
  return map;
}

SmallVector<uint8_t, 0> warpo::encodeCodeSection(const wasm::Module &original,
                                                 ArrayRef<uint8_t> rewritten,
                                                 const wasm::CodeMovements &movements,
                                                 uint32_t added) {
  constexpr uint8_t version = 1;
  SmallVector<uint8_t, 0> contents;
  // Most runs take three bytes.
  contents.reserve(movements.totalRuns() * 3);
  ByteWriter writer(contents);
  writer.u8(version);
  writer.uleb(added);
  writer.uleb(original.functionCount());
  // Without a list of the runs: a module has a million.
  CodeMapEncoder encoder(writer);
  forEachMove(
      original, rewritten, movements,
      [&](uint32_t code, uint32_t end) { encoder.begin(code, end); },
      [&](CodeMap::Run run) { encoder.add(run); });
  return contents;
}
