//===- References.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "References.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

// element := flags table? offset? kind? count entry*
//   flags 1: not active, 2: with a table (active) or declarative (not active), 4: entries are
//   expressions and the kind is a type of references, else a byte that is 0
void wasm::walkElement(ByteCursor &cursor, function_ref<void()> expression,
                       function_ref<void()> function) {
  enum : uint32_t { notActive = 1, explicitTable = 2, expressions = 4, known = 7 };
  const uint8_t *begin = cursor.position();
  uint32_t flags = cursor.uleb32();
  if (flags & ~uint32_t(known))
    return cursor.failAt(begin, "unknown kind of element segment 0x" + utohexstr(flags, true));
  if (!(flags & notActive)) {
    if (flags & explicitTable)
      cursor.uleb32();
    expression();
  }
  if (flags & (notActive | explicitTable)) {
    if (flags & expressions)
      skipValueType(cursor);
    else if (cursor.u8() != 0)
      return cursor.fail("elements that are not functions");
  }
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    if (flags & expressions)
      expression();
    else
      function();
  }
}

// A table may say how its entries begin: 0x40 0x00 type expression.
void wasm::walkTables(ByteCursor &cursor, function_ref<void()> expression) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    bool hasInitialValue = !cursor.atEnd() && *cursor.position() == 0x40;
    if (hasInitialValue)
      cursor.skip(2);
    skipTableType(cursor);
    if (hasInitialValue)
      expression();
  }
}

Expected<BitVector> wasm::referencedFunctions(const Module &module, bool exports) {
  BitVector found(module.functionCount());
  auto add = [&](uint32_t function) {
    if (function < found.size())
      found.set(function);
  };
  for (const Export &entry : module.exports)
    if (exports && entry.kind == ExternalKind::function)
      add(entry.index);
  for (const Section &section : module.sections) {
    ByteCursor cursor = section.contents.cursor();
    auto readExpression = [&] {
      CodeWalker walker(cursor);
      for (Instruction instruction; walker.next(instruction);)
        if (instruction.firstImmediate() == ImmediateKind::function)
          add(instruction.index);
    };
    if (section.id == SectionId::table) {
      walkTables(cursor, readExpression);
    } else if (section.id == SectionId::global) {
      for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
        skipGlobalType(cursor);
        readExpression();
      }
    } else if (section.id == SectionId::element) {
      for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i)
        walkElement(cursor, readExpression, [&] { add(cursor.uleb32()); });
    }
    if (Error error = cursor.takeError(module.fileName))
      return error;
  }
  return found;
}

bool wasm::mayReach(const Module &module, uint32_t type, uint32_t function) {
  if (type >= module.types.size() || !module.types[type])
    return false;
  const FunctionType &wanted = *module.types[type];
  const FunctionType &found = module.typeOf(function);
  // Of types that may have others below them it cannot be told so easily.
  bool isSure = wanted.isPlain && found.isPlain;
  return !isSure || (wanted.params == found.params && wanted.results == found.results);
}

std::optional<uint32_t> wasm::startFunction(const Module &module) {
  for (const Section &section : module.sections)
    if (section.id == SectionId::start)
      return section.contents.cursor().uleb32();
  return std::nullopt;
}
