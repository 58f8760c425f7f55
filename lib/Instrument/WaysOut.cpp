//===- WaysOut.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WaysOut.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "warpo/Wasm/TableSlots.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// Code in front of a call through a table, index -> index, that goes by `leave`, a function of
/// that type, unless the call stays. The functions that stand there from the start are taken for
/// the module's own. Code around calls has no variables: the index goes by way of `kept`, a global.
/// A function for the test would cost more than the rest of it.
static wasm::CodeSequence checkSlot(const wasm::TableSlots &slots, wasm::GlobalRef kept,
                                    wasm::FunctionRef leave, wasm::ValueType type) {
  auto constant = [&](wasm::CodeSequence &code, uint64_t value) {
    if (slots.is64)
      code.i64Const(int64_t(value));
    else
      code.i32Const(int32_t(value));
  };
  wasm::CodeSequence code;
  const wasm::SlotRun &own = slots.own;
  if (!own.count)
    return code.call(leave);
  uint8_t sub = slots.is64 ? "i64.sub"_op : "i32.sub"_op;
  code.globalSet(kept).globalGet(kept).raw(own.base).raw(sub);
  if (own.first) {
    constant(code, own.first);
    code.raw(sub);
  }
  constant(code, own.count);
  code.raw({slots.is64 ? "i64.lt_u"_op : "i32.lt_u"_op, "if"_op, uint8_t(type)});
  code.globalGet(kept).raw("else"_op);
  // What is told may call the module, and that changes the global.
  return code.globalGet(kept).call(leave).raw("end"_op);
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
    wasm::CodeSequence leave = tell;
    leave.localGet(0);
    call.before = checkSlot(
        slots, editor.addGlobal(type, /*isMutable=*/true, 0),
        editor.addFunction("__warpo_leave_by_table_" + std::to_string(index), type, type, leave),
        type);
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
