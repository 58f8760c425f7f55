//===- TableSlots.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/TableSlots.h"
#include "References.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::wasm::opcode_names;

static TableSlots readTable(ByteCursor &cursor) {
  enum : uint8_t { is64 = 4 };
  TableSlots table;
  bool hasInitialValue = skipInitialValueMark(cursor);
  table.holdsFunctions = leadsToFunctions(cursor);
  skipValueType(cursor);
  if (cursor.ok() && !cursor.atEnd())
    table.is64 = *cursor.position() & is64;
  skipLimits(cursor);
  table.holdsOthers = hasInitialValue;
  if (hasInitialValue)
    countInstructions(cursor);
  return table;
}

void TableSlots::testOwn(CodeSequence &code) const {
  auto constant = [&](uint64_t value) {
    if (is64)
      code.i64Const(int64_t(value));
    else
      code.i32Const(int32_t(value));
  };
  uint8_t sub = is64 ? "i64.sub"_op : "i32.sub"_op;
  code.raw(own.base).raw(sub);
  if (own.first) {
    constant(own.first);
    code.raw(sub);
  }
  constant(own.count);
  code.raw(is64 ? "i64.lt_u"_op : "i32.lt_u"_op);
}

namespace {

/// Finds the longest run of the module's own functions in a segment.
class RunFinder {
public:
  RunFinder(const Module &module, TableSlots &table, function_ref<bool(uint32_t)> isOwn)
      : module_(module), table_(table), isOwn_(isOwn) {}

  void setBase(ArrayRef<uint8_t> base) { base_ = base; }
  /// `function` is nothing for an entry without a function.
  void add(std::optional<uint32_t> function) {
    bool isImported = function && module_.isImported(*function);
    if (isImported && !isOwn_(*function))
      table_.holdsOthers = true;
    if (!function || isImported)
      begin_ = entries_ + 1;
    else if (entries_ + 1 - begin_ > table_.own.count)
      table_.own = {base_, begin_, entries_ + 1 - begin_};
    ++entries_;
  }

private:
  const Module &module_;
  TableSlots &table_;
  function_ref<bool(uint32_t)> isOwn_;
  ArrayRef<uint8_t> base_;
  uint64_t entries_ = 0;
  /// The begin of the current run.
  uint64_t begin_ = 0;
};

} // namespace

// The table of an active segment; nothing for other segments. Does not move the caller's cursor.
static std::optional<uint32_t> tableOfElement(ByteCursor cursor) {
  enum : uint32_t { notActive = 1, explicitTable = 2 };
  uint32_t flags = cursor.uleb32();
  if (flags & notActive)
    return std::nullopt;
  return flags & explicitTable ? cursor.uleb32() : 0;
}

static void readElement(ByteCursor &cursor, const Module &module,
                        MutableArrayRef<TableSlots> tables, function_ref<bool(uint32_t)> isOwn) {
  TableSlots unused;
  std::optional<uint32_t> index = tableOfElement(cursor);
  bool isActive = index && *index < tables.size();
  RunFinder finder(module, isActive ? tables[*index] : unused, isOwn);
  bool expectsBase = index.has_value();
  walkElement(
      cursor,
      [&] {
        const uint8_t *begin = cursor.position();
        std::optional<uint32_t> function;
        CodeWalker walker(cursor);
        Instruction instruction;
        while (walker.next(instruction))
          if (*instruction.begin == "ref.func"_op && instruction.index() < module.functionCount())
            function = instruction.index();
        if (!expectsBase)
          finder.add(function);
        else if (cursor.ok())
          finder.setBase({begin, instruction.begin});
        expectsBase = false;
      },
      [&] {
        uint32_t function = cursor.uleb32();
        finder.add(function < module.functionCount() ? std::optional(function) : std::nullopt);
      });
}

Expected<std::vector<TableSlots>> wasm::readTableSlots(const Module &module,
                                                       function_ref<bool(uint32_t)> isOwn) {
  std::vector<TableSlots> tables;
  for (const Import &import : module.imports) {
    if (import.kind != ExternalKind::table)
      continue;
    ByteCursor cursor(import.typeBytes, 0);
    tables.push_back(readTable(cursor));
    tables.back().isShared = tables.back().holdsFunctions;
  }
  for (const Section &section : module.sections) {
    ByteCursor cursor = section.contents.cursor();
    if (section.id == SectionId::table)
      for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i)
        tables.push_back(readTable(cursor));
    else if (section.id == SectionId::element)
      for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i)
        readElement(cursor, module, tables, isOwn);
    if (Error error = cursor.takeError(module.fileName))
      return error;
  }
  for (const Export &entry : module.exports)
    if (entry.kind == ExternalKind::table && entry.index < tables.size())
      tables[entry.index].isShared = tables[entry.index].holdsFunctions;
  return tables;
}
