//===- WaysOut.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WaysOut.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "warpo/Wasm/TableSlots.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// Code of a function (index) -> index that runs `tell` unless a call through the table stays. The
/// functions that stand there from the start are taken for the module's own.
static wasm::CodeSequence checkSlot(const wasm::TableSlots &slots, const wasm::CodeSequence &tell) {
  auto constant = [&](wasm::CodeSequence &code, uint64_t value) {
    if (slots.is64)
      code.i64Const(int64_t(value));
    else
      code.i32Const(int32_t(value));
  };
  const wasm::SlotRun &own = slots.own;
  wasm::CodeSequence code;
  if (own.count) {
    uint8_t sub = slots.is64 ? "i64.sub"_op : "i32.sub"_op;
    code.localGet(0).raw(own.base).raw(sub);
    constant(code, own.first);
    code.raw(sub);
    constant(code, own.count);
    code.raw({slots.is64 ? "i64.ge_u"_op : "i32.ge_u"_op, "if"_op, wasm::emptyBlockType});
  }
  code.append(tell);
  if (own.count)
    code.raw("end"_op);
  return code.localGet(0);
}

Expected<WaysOut> WaysOut::create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                  ArrayRef<FunctionReport> functions, const BitVector &keptImports,
                                  const wasm::CodeSequence &tell) {
  WaysOut ways;
  ways.unseen_.before = tell;
  ways.isUnseen_.resize(module.functionCount());
  auto isOwn = [&](uint32_t function) { return functions[function].id && !keptImports[function]; };
  auto referenced = wasm::referencedFunctions(module);
  if (!referenced)
    return referenced.takeError();
  auto comeIn = wasm::takesReferences(module);
  if (!comeIn)
    return comeIn.takeError();
  bool takesReferences = *comeIn;
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i) {
    if (!functions[i].id && functions[i].selection != Selection::builtin)
      ways.isUnseen_.set(i);
    takesReferences |= referenced->test(i) && !isOwn(i);
  }
  ways.callers_.resize(module.functionCount(), ways.isUnseen_.any());
  if (takesReferences)
    ways.references_.before = tell;

  auto tables = wasm::readTableSlots(module, isOwn);
  if (!tables)
    return tables.takeError();
  for (const auto &[index, slots] : enumerate(*tables)) {
    wasm::CallSiteEdit &call = ways.tables_.emplace_back();
    if (!slots.isShared && !slots.holdsOthers && !takesReferences)
      continue;
    wasm::ValueType type = slots.is64 ? wasm::ValueType::i64 : wasm::ValueType::i32;
    call.before.call(editor.addFunction("__warpo_leave_by_table_" + std::to_string(index), type,
                                        type, checkSlot(slots, tell)));
  }
  return ways;
}

const wasm::CallSiteEdit *WaysOut::at(const wasm::CallSite &site) const {
  if (site.target == wasm::CallTarget::function)
    return isUnseen_[site.index] ? &unseen_ : nullptr;
  if (site.target == wasm::CallTarget::table && site.index < tables_.size())
    return &tables_[site.index];
  return &references_;
}
