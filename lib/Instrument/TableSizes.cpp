//===- TableSizes.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TableSizes.h"
#include "SizeReport.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// The operation of `builtin.heap`.
static constexpr int32_t reportsSize = 5;

static constexpr uint8_t prefix = 0xfc, tableGrow = 0x0f, tableSize = 0x10;

TableSizes::Table TableSizes::read(ByteCursor &type) {
  enum : uint8_t { hasMaximum = 1, is64 = 4 };
  wasm::skipValueType(type);
  ByteCursor limits = type;
  wasm::skipLimits(type);
  uint8_t flags = limits.u8();
  auto number = [&] { return flags & is64 ? limits.uleb64() : limits.uleb32(); };
  uint64_t minimum = number();
  return {.is64 = (flags & is64) != 0, .mayGrow = (flags & hasMaximum) == 0 || number() > minimum};
}

void TableSizes::find(const wasm::Module &module) {
  for (const wasm::Import &import : module.imports) {
    if (import.kind != wasm::ExternalKind::table)
      continue;
    reached_.push_back(uint32_t(tables_.size()));
    ByteCursor type(import.typeBytes);
    tables_.push_back(read(type));
  }
  for (const wasm::Section &section : module.sections) {
    if (section.id != wasm::SectionId::table)
      continue;
    ByteCursor cursor = section.contents.cursor();
    for (uint32_t left = wasm::readCount(cursor); left > 0 && cursor.ok(); --left) {
      bool hasInitialValue = wasm::skipInitialValueMark(cursor);
      tables_.push_back(read(cursor));
      if (hasInitialValue)
        wasm::countInstructions(cursor);
    }
  }
  for (const wasm::Export &entry : module.exports)
    if (entry.kind == wasm::ExternalKind::table && entry.index < tables_.size())
      reached_.push_back(entry.index);
  llvm::sort(reached_);
  reached_.erase(llvm::unique(reached_), reached_.end());
  llvm::erase_if(reached_, [&](uint32_t table) { return !tables_[table].mayGrow; });
}

void TableSizes::pushSize(uint32_t table, wasm::CodeSequence &code) const {
  uint8_t number[10];
  code.raw({prefix, tableSize}).raw({number, encodeULEB128(table, number)});
  if (!tables_[table].is64)
    code.raw("i64.extend_i32_u"_op);
}

// The function's one parameter is the operation.
wasm::FunctionRef TableSizes::addReport(ModuleDeclarations &declarations, uint32_t table,
                                        wasm::FunctionRef heap) const {
  wasm::CodeSequence size, operation;
  pushSize(table, size);
  operation.localGet(0);
  return declarations.addFunction(
      ("builtin.heap (table " + Twine(table) + ")").str(), wasm::ValueType::i32, {},
      reportSize(size, tables_[table].last, operation, table, /*shift=*/0, heap));
}

void TableSizes::declare(ModuleDeclarations &declarations, wasm::FunctionRef heap) {
  find(*declarations.module().original);
  for (uint32_t number = 0; number < tables_.size(); ++number) {
    Table &table = tables_[number];
    if (!table.mayGrow)
      continue;
    table.last = declarations.addGlobal(wasm::ValueType::i64, true, -1);
    table.report = addReport(declarations, number, heap);
  }
}

bool TableSizes::grows(const wasm::Instruction &instruction) const {
  return *instruction.begin == prefix &&
         instruction.info == &wasm::prefixedOpcode(prefix, tableGrow) &&
         instruction.index() < tables_.size() && tables_[instruction.index()].mayGrow;
}

void TableSizes::report(uint32_t table, bool isFound, wasm::CodeSequence &code) const {
  code.i32Const(reportsSize | (isFound ? foundFlag : 0)).call(tables_[table].report);
}

// Tests first: even calls that report nothing cost time.
void TableSizes::reportFound(wasm::CodeSequence &code) const {
  for (uint32_t table : reached_) {
    pushSize(table, code);
    code.globalGet(tables_[table].last).raw({"i64.ne"_op, "if"_op, wasm::emptyBlockType});
    report(table, /*isFound=*/true, code);
    code.raw("end"_op);
  }
}
