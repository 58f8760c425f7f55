//===- OwnGlobals.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/OwnGlobals.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

uint32_t wasm::importedGlobalCount(const Module &module) {
  return uint32_t(count_if(
      module.imports, [](const Import &import) { return import.kind == ExternalKind::global; }));
}

static OwnGlobal readGlobal(ByteCursor &cursor) {
  OwnGlobal global;
  const uint8_t *type = cursor.position();
  skipGlobalType(cursor);
  if (!cursor.ok())
    return global;
  bool isNumber = *type <= uint8_t(ValueType::i32) && *type >= uint8_t(ValueType::f64);
  if (isNumber)
    global.type = ValueType(*type);
  global.isMutable = cursor.position()[-1] & 1;
  CodeWalker walker(cursor);
  uint32_t instructions = 0;
  for (Instruction instruction; walker.next(instruction); ++instructions)
    if (instructions == 0 && *instruction.begin == "i32.const"_op)
      global.constant = ByteCursor({instruction.immediates, instruction.end}, 0).sleb32();
  // The constant and `end`.
  if (instructions != 2)
    global.constant.reset();
  return global;
}

std::vector<OwnGlobal> wasm::readOwnGlobals(const Module &module) {
  std::vector<OwnGlobal> globals;
  auto section =
      find_if(module.sections, [](const Section &each) { return each.id == SectionId::global; });
  if (section == module.sections.end())
    return globals;
  ByteCursor cursor = section->contents.cursor();
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    OwnGlobal global = readGlobal(cursor);
    if (cursor.ok())
      globals.push_back(global);
  }
  return globals;
}
