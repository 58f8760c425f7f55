//===- CodeMapping.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CodeMapping.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

CodeMap warpo::mapCode(const wasm::Module &original, const wasm::Module &rewritten,
                       const wasm::CodeMovements &movements) {
  auto isCode = [](const wasm::Section &each) { return each.id == wasm::SectionId::code; };
  auto oldCode = find_if(original.sections, isCode);
  auto newCode = find_if(rewritten.sections, isCode);
  if (original.bodies.empty() || original.bytes.size() > UINT32_MAX ||
      rewritten.bytes.size() > UINT32_MAX)
    return {};
  uint64_t oldBegin = oldCode->contents.offset, newBegin = newCode->contents.offset;
  CodeMap map;
  map.code = uint32_t(newBegin);
  map.runs.reserve(movements.totalRuns());
  for (auto [index, before] : enumerate(original.bodies)) {
    const wasm::ByteRange &after = rewritten.bodies[index];
    for (const wasm::CopiedRun &run :
         movements.runsOf(original.importedFunctionCount() + uint32_t(index)))
      map.add(uint32_t(after.offset - newBegin + run.newOffset),
              uint32_t(before.offset - oldBegin + run.oldOffset));
    map.end = uint32_t(after.offset - newBegin + after.bytes.size());
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
