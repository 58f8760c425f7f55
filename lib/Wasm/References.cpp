//===- References.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "References.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::wasm::opcode_names;

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

Expected<BitVector> wasm::calledFunctions(const Module &module, const BitVector &callers) {
  BitVector called(module.functionCount());
  for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i) {
    if (!callers[i])
      continue;
    ByteCursor cursor = module.bodies[i - module.importedFunctionCount()].cursor();
    skipLocals(cursor);
    CodeWalker walker(cursor);
    for (Instruction instruction; walker.next(instruction);) {
      uint8_t opcode = *instruction.begin;
      if ((opcode == "call"_op || opcode == "return_call"_op) &&
          instruction.index < module.functionCount())
        called.set(instruction.index);
    }
    if (Error error = cursor.takeError(module.fileName))
      return error;
  }
  return called;
}

/// Of an encoded value type, in front of the cursor.
static bool isReference(ByteCursor cursor) {
  enum : uint8_t { v128 = 0x7b, i32 = 0x7f, externref = 0x6f, nullable = 0x63, nonNull = 0x64 };
  uint8_t type = cursor.u8();
  if (type == nullable || type == nonNull)
    type = cursor.u8();
  return type != externref && (type < v128 || type > i32);
}

static bool hasReferences(const TypeList &types) {
  ByteCursor cursor(types.bytes, 0);
  for (uint32_t i = 0; i < types.count && cursor.ok(); ++i) {
    if (isReference(cursor))
      return true;
    skipValueType(cursor);
  }
  return false;
}

Expected<bool> wasm::takesReferences(const Module &module) {
  // What is exported can be set, or thrown, from outside too.
  std::vector<bool> globals, tags;
  auto addGlobal = [&](ByteCursor cursor) { globals.push_back(isReference(cursor)); };
  auto addTag = [&](ByteCursor cursor) {
    cursor.u8(); // the attribute
    uint32_t type = cursor.uleb32();
    tags.push_back(type < module.types.size() && module.types[type] &&
                   hasReferences(module.types[type]->params));
  };
  bool takes = false;
  for (const Import &import : module.imports) {
    takes |= import.kind == ExternalKind::table;
    if (import.kind == ExternalKind::global)
      addGlobal(ByteCursor(import.typeBytes, 0));
    else if (import.kind == ExternalKind::tag)
      addTag(ByteCursor(import.typeBytes, 0));
  }
  takes |= is_contained(globals, true) || is_contained(tags, true);
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i)
    takes |= hasReferences(module.typeOf(i).results);
  for (const Section &section : module.sections) {
    if (section.id != SectionId::global && section.id != SectionId::tag)
      continue;
    ByteCursor cursor = section.contents.cursor();
    for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
      if (section.id == SectionId::tag) {
        addTag(cursor);
        skipTagType(cursor);
        continue;
      }
      addGlobal(cursor);
      skipGlobalType(cursor);
      CodeWalker walker(cursor);
      for (Instruction instruction; walker.next(instruction);) {
      }
    }
    if (Error error = cursor.takeError(module.fileName))
      return error;
  }
  for (const Export &entry : module.exports) {
    takes |= entry.kind == ExternalKind::table;
    if (entry.kind == ExternalKind::function)
      takes |= hasReferences(module.typeOf(entry.index).params);
    else if (entry.kind == ExternalKind::global)
      takes |= entry.index < globals.size() && globals[entry.index];
    else if (entry.kind == ExternalKind::tag)
      takes |= entry.index < tags.size() && tags[entry.index];
  }
  return takes;
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
