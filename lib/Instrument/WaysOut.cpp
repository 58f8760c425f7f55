//===- WaysOut.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WaysOut.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "warpo/Wasm/TableSlots.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// Code that calls `leave`, (index) -> index, unless the index is in the table's run of the
/// module's own functions, which must not be empty. Code around calls has no variables, so a global
/// holds the index. A function for the test would cost more than the test itself.
static wasm::CodeSequence checkSlot(const wasm::TableSlots &slots, wasm::ModuleEditor &editor,
                                    wasm::FunctionRef leave, wasm::ValueType type) {
  wasm::GlobalRef kept = editor.addGlobal(type, /*isMutable=*/true, 0);
  wasm::CodeSequence code;
  slots.testOwn(code.globalSet(kept).globalGet(kept));
  code.raw({"if"_op, uint8_t(type)}).globalGet(kept).raw("else"_op);
  // The report may call the module, which may change the global.
  return code.globalGet(kept).call(leave).raw("end"_op);
}

Expected<WaysOut> WaysOut::create(const wasm::Module &module, wasm::ModuleEditor &editor,
                                  ArrayRef<FunctionReport> functions, const BitVector &keptImports,
                                  const wasm::CodeSequence &report) {
  WaysOut ways;
  ways.unseen_.before = report;
  ways.isUnseen_.resize(module.functionCount());
  auto isOwn = [&](uint32_t function) { return functions[function].id && !keptImports[function]; };
  auto referenced = wasm::referencedFunctions(module);
  if (!referenced)
    return referenced.takeError();
  auto exchanges = wasm::exchangesReferences(module);
  if (!exchanges)
    return exchanges.takeError();
  bool haveOthers = *exchanges;
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i) {
    if (!functions[i].id && functions[i].selection != Selection::builtin)
      ways.isUnseen_.set(i);
    haveOthers |= referenced->test(i) && !isOwn(i);
  }
  if (haveOthers)
    ways.references_.emplace().before = report;

  auto tables = wasm::readTableSlots(module, isOwn);
  if (!tables)
    return tables.takeError();
  for (const auto &[index, slots] : enumerate(*tables)) {
    std::optional<wasm::CallSiteEdit> &call = ways.tables_.emplace_back();
    if (!slots.isShared && !slots.holdsOthers && !haveOthers)
      continue;
    wasm::ValueType type = slots.is64 ? wasm::ValueType::i64 : wasm::ValueType::i32;
    wasm::CodeSequence leaving = report;
    wasm::FunctionRef leave = editor.addFunction("__warpo_leave_by_table_" + std::to_string(index),
                                                 type, type, leaving.localGet(0));
    wasm::CodeSequence &before = call.emplace().before;
    if (slots.own.count)
      before = checkSlot(slots, editor, leave, type);
    else
      before.call(leave);
  }
  return ways;
}

const wasm::CallSiteEdit *WaysOut::at(const wasm::CallSite &site) const {
  if (site.target == wasm::CallTarget::function)
    return isUnseen_[site.index] ? &unseen_ : nullptr;
  bool isKnownTable = site.target == wasm::CallTarget::table && site.index < tables_.size();
  const auto &edit = isKnownTable ? tables_[site.index] : references_;
  return edit ? &*edit : nullptr;
}
