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

void wasm::walkTables(ByteCursor &cursor, uint32_t count, function_ref<void()> expression) {
  for (uint32_t i = 0; i < count && cursor.ok(); ++i) {
    bool hasInitialValue = skipInitialValueMark(cursor);
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
          add(instruction.index());
    };
    if (section.id == SectionId::table) {
      uint32_t count = readCount(cursor);
      walkTables(cursor, count, readExpression);
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
          instruction.index() < module.functionCount())
        called.set(instruction.index());
    }
    if (Error error = cursor.takeError(module.fileName))
      return error;
  }
  return called;
}

static bool leadToFunctions(const TypeList &types) {
  ByteCursor cursor(types.bytes, 0);
  for (uint32_t i = 0; i < types.count && cursor.ok(); ++i) {
    if (leadsToFunctions(cursor))
      return true;
    skipValueType(cursor);
  }
  return false;
}

static bool exchangesFunctions(const FunctionType &type) {
  return leadToFunctions(type.params) || leadToFunctions(type.results);
}

namespace {

/// Whether tables, globals and tags may have references to functions, by index, including imported
/// ones.
struct ReferenceHolders {
  std::vector<bool> tables, globals, tags;

  void addTag(const Module &module, ByteCursor cursor) {
    cursor.u8(); // the attribute
    uint32_t type = cursor.uleb32();
    tags.push_back(type < module.types.size() && module.types[type] &&
                   exchangesFunctions(*module.types[type]));
  }
  bool has(ExternalKind kind, uint32_t index) const {
    const std::vector<bool> &of = kind == ExternalKind::table    ? tables
                                  : kind == ExternalKind::global ? globals
                                                                 : tags;
    return index < of.size() && of[index];
  }
};

} // namespace

static Expected<ReferenceHolders> findHolders(const Module &module) {
  ReferenceHolders holders;
  for (const Import &import : module.imports) {
    ByteCursor type(import.typeBytes, 0);
    if (import.kind == ExternalKind::table)
      holders.tables.push_back(leadsToFunctions(type));
    else if (import.kind == ExternalKind::global)
      holders.globals.push_back(leadsToFunctions(type));
    else if (import.kind == ExternalKind::tag)
      holders.addTag(module, type);
  }
  for (const Section &section : module.sections) {
    bool isTables = section.id == SectionId::table;
    bool isGlobals = section.id == SectionId::global;
    if (!isTables && !isGlobals && section.id != SectionId::tag)
      continue;
    ByteCursor cursor = section.contents.cursor();
    for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
      if (isTables) {
        bool hasInitialValue = skipInitialValueMark(cursor);
        holders.tables.push_back(leadsToFunctions(cursor));
        skipTableType(cursor);
        if (hasInitialValue)
          countInstructions(cursor);
      } else if (isGlobals) {
        holders.globals.push_back(leadsToFunctions(cursor));
        skipGlobalType(cursor);
        countInstructions(cursor);
      } else {
        holders.addTag(module, cursor);
        skipTagType(cursor);
      }
    }
    if (Error error = cursor.takeError(module.fileName))
      return error;
  }
  return holders;
}

std::vector<bool> wasm::tablesOfFunctions(const Module &module) {
  auto holders = findHolders(module);
  if (holders)
    return std::move(holders->tables);
  consumeError(holders.takeError());
  return {};
}

Expected<bool> wasm::exchangesReferences(const Module &module) {
  auto holders = findHolders(module);
  if (!holders)
    return holders.takeError();
  uint32_t functions = 0, tables = 0, globals = 0, tags = 0;
  for (const Import &import : module.imports) {
    bool isFunction = import.kind == ExternalKind::function;
    if (isFunction && exchangesFunctions(module.typeOf(functions++)))
      return true;
    if ((import.kind == ExternalKind::table && holders->has(import.kind, tables++)) ||
        (import.kind == ExternalKind::global && holders->has(import.kind, globals++)) ||
        (import.kind == ExternalKind::tag && holders->has(import.kind, tags++)))
      return true;
  }
  return any_of(module.exports, [&](const Export &entry) {
    return entry.kind == ExternalKind::function ? exchangesFunctions(module.typeOf(entry.index))
                                                : holders->has(entry.kind, entry.index);
  });
}

bool wasm::mayReach(const Module &module, uint32_t type, uint32_t function) {
  if (type >= module.types.size() || !module.types[type])
    return false;
  const FunctionType &wanted = *module.types[type];
  const FunctionType &found = module.typeOf(function);
  // Types that may have subtypes are not compared.
  bool isSure = wanted.isPlain && found.isPlain;
  return !isSure || (wanted.params == found.params && wanted.results == found.results);
}

std::optional<uint32_t> wasm::startFunction(const Module &module) {
  for (const Section &section : module.sections)
    if (section.id == SectionId::start)
      return section.contents.cursor().uleb32();
  return std::nullopt;
}
