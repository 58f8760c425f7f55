//===- CodeMapping.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CodeMapping.h"
#include "llvm/ADT/STLExtras.h"

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

CodeMap warpo::mapCode(const wasm::Module &original, ArrayRef<uint8_t> rewritten,
                       const wasm::CodeMovements &movements) {
  if (original.bodies.empty() || original.bytes.size() > UINT32_MAX ||
      rewritten.size() > UINT32_MAX)
    return {};
  auto code = find_if(original.sections,
                      [](const wasm::Section &each) { return each.id == wasm::SectionId::code; });
  uint64_t oldBegin = code->contents.offset;
  CodeMap map;
  map.code = uint32_t(beginOfCode(rewritten));
  map.runs.reserve(movements.totalRuns());
  for (auto [index, before] : enumerate(original.bodies)) {
    wasm::CodeMovements::Body after =
        movements.body(original.importedFunctionCount() + uint32_t(index));
    for (const wasm::CopiedRun &run : after.runs)
      map.add(uint32_t(after.begin + run.newOffset),
              uint32_t(before.offset - oldBegin + run.oldOffset));
    map.end = uint32_t(after.begin + after.size);
  }
  return map;
}

SmallVector<uint8_t, 0> warpo::encodeCodeSection(const CodeMap &map, uint32_t added,
                                                 uint32_t functions) {
  constexpr uint8_t version = 1;
  SmallVector<uint8_t, 0> contents;
  ByteWriter writer(contents);
  writer.u8(version);
  writer.uleb(added);
  writer.uleb(functions);
  map.write(writer);
  return contents;
}
