//===- Traps.cpp ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Traps.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "warpo/Wasm/TableSlots.h"
#include <tuple>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// The meaning of the low two bits of the variable. The others are the root: the id of the call by
/// which the host came in, 0 if that is not known.
enum State : int32_t {
  out = 0,         ///< the host has control, if only to begin a call
  byReference = 1, ///< a call of one of the module's own functions is on its way
  tailCall = 2,    ///< the same, a tail call
  runs = 3,
};

constexpr int32_t stateBits = 3;
/// Set in addition if the root was called while another call waits on a way out.
constexpr int32_t nested = INT32_MIN;
/// In the place of a root, while the host has control: another call waits, or may wait.
constexpr int32_t someRoot = 1 << 2;
/// Values with a root are not below this, as unsigned numbers.
constexpr int32_t firstRoot = 2 << 2;
/// Without a type: there is another opcode of this name.
constexpr uint8_t selectCode = 0x1b;
/// Of ids that the root has room for.
constexpr int64_t maxRoot = int64_t(1) << 29;

// While code runs, the state is `runs`, unless a function that is left out runs for the host: then
// the state is `out`, and the root is 0 or `someRoot`.

void keepBits(wasm::GlobalRef running, int32_t mask, wasm::CodeSequence &code) {
  code.globalGet(running).i32Const(mask).raw("i32.and"_op).globalSet(running);
}

void goByReference(wasm::GlobalRef running, wasm::CodeSequence &code) {
  keepBits(running, ~(runs ^ byReference), code);
}

void goOut(wasm::GlobalRef running, wasm::CodeSequence &code) {
  keepBits(running, ~stateBits, code);
}

// Behind a call of either kind, the root still being there.
void runAgain(wasm::GlobalRef running, bool leftOut, wasm::CodeSequence &code) {
  code.globalGet(running).i32Const(runs).raw("i32.or"_op);
  if (leftOut) {
    code.globalGet(running).i32Const(someRoot).raw("i32.and"_op);
    code.globalGet(running).i32Const(firstRoot).raw({"i32.ge_u"_op, selectCode});
  }
  code.globalSet(running);
}

/// Code of a function (index) -> index that says what a call through a table will reach. The
/// functions that stand there from the start are taken for the module's own, all others for the
/// host's; if there is no function, the call will trap.
wasm::CodeSequence checkSlot(uint32_t table, const wasm::TableSlots &slots,
                             wasm::GlobalRef running) {
  SmallVector<uint8_t, 8> tableIndex;
  for (uint32_t rest = table; tableIndex.empty() || rest; rest >>= 7)
    tableIndex.push_back(uint8_t(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  uint8_t less = slots.is64 ? "i64.lt_u"_op : "i32.lt_u"_op;
  const uint8_t ifHead[] = {"if"_op, wasm::emptyBlockType};

  wasm::CodeSequence code;
  if (slots.own.count) {
    slots.testOwn(code.localGet(0));
    code.raw(ifHead);
    goByReference(running, code);
    code.raw("else"_op);
  }
  code.localGet(0).raw({0xfc, 0x10}).raw(tableIndex).raw(less).raw(ifHead); // table.size
  code.localGet(0).raw("table.get"_op).raw(tableIndex);
  code.raw({"ref.is_null"_op, "i32.eqz"_op}).raw(ifHead);
  goOut(running, code);
  code.raw({"end"_op, "end"_op});
  if (slots.own.count)
    code.raw("end"_op);
  return code.localGet(0);
}

/// Of a function that takes a value of the variable, and returns what it is now.
wasm::CodeSequence codeOfTrapped(const wasm::CodeSequence &tellInnermost,
                                 const wasm::CodeSequence &tellOutermost) {
  const uint8_t ifHead[] = {"if"_op, wasm::emptyBlockType};
  wasm::CodeSequence code;
  // If the root is unknown, so is the call that waits.
  code.localGet(0).i32Const(firstRoot).raw({"i32.lt_u"_op}).raw(ifHead);
  code.i32Const(someRoot).raw({"return"_op, "end"_op});
  // A recursive root is open several times. If no call waits, all of these are gone; else those
  // above the waiting call, and only the innermost is certain to be above it.
  for (const auto &[tell, value, test] : {std::tuple(&tellOutermost, int32_t(out), "i32.ge_s"_op),
                                          std::tuple(&tellInnermost, someRoot, "i32.lt_s"_op)}) {
    code.localGet(0).i32Const(0).raw(test).raw(ifHead);
    code.localGet(0).i32Const(1).raw("i32.shl"_op).i32Const(3);
    code.raw({"i32.shr_u"_op, "local.set"_op, 0});
    code.append(*tell).i32Const(value).raw({"return"_op, "end"_op});
  }
  return code.i32Const(out);
}

} // namespace

// Functions called by those that are left out become ways in.
Error Traps::findCallees(const wasm::Module &module) {
  auto called = wasm::calledFunctions(module, isLeftOut_);
  if (!called)
    return called.takeError();
  for (uint32_t callee : called->set_bits())
    if (!isImported_[callee] && !isLeftOut_[callee]) {
      waysIn_.set(callee);
      isCalledByReference_.set(callee);
    }
  return Error::success();
}

Expected<Traps> Traps::create(const wasm::Module &module, wasm::ModuleEditor &editor,
                              ArrayRef<FunctionReport> functions, const BitVector &keptImports,
                              const wasm::CodeSequence &tellInnermost,
                              const wasm::CodeSequence &tellOutermost, const WaysOut *waysOut) {
  Traps traps;
  traps.waysOut_ = waysOut;
  auto referenced = wasm::referencedFunctions(module, /*exports=*/false);
  if (!referenced)
    return referenced.takeError();
  traps.isCalledByReference_ = std::move(*referenced);
  traps.waysIn_ = traps.isCalledByReference_;
  for (const wasm::Export &entry : module.exports)
    if (entry.kind == wasm::ExternalKind::function && !module.isImported(entry.index))
      traps.waysIn_.set(entry.index);
  if (std::optional<uint32_t> start = wasm::startFunction(module);
      start && !module.isImported(*start))
    traps.waysIn_.set(*start);
  traps.isLeftOut_.resize(module.functionCount());
  traps.isImported_.resize(module.functionCount());
  for (const FunctionReport &function : functions) {
    if (function.id >= maxRoot)
      return fileError(module.fileName,
                       "traps: more than " + Twine(maxRoot - firstFunctionId) + " functions");
    traps.isLeftOut_[function.index] = !function.id;
    traps.isImported_[function.index] = function.isImported;
    if (function.isImported && (!function.id || keptImports[function.index]))
      traps.waysIn_.reset(function.index);
  }
  if (Error error = traps.findCallees(module))
    return error;

  wasm::GlobalRef running = traps.running_ =
      editor.addGlobal(wasm::ValueType::i32, /*isMutable=*/true, out);
  traps.trapped_ = editor.addFunction("__warpo_trapped", wasm::ValueType::i32, wasm::ValueType::i32,
                                      codeOfTrapped(tellInnermost, tellOutermost));

  for (bool leftOut : {false, true}) {
    wasm::CodeSequence comeBack;
    traps.tellCaught(comeBack);
    runAgain(running, leftOut, comeBack);
    traps.comeBack_[leftOut] =
        editor.addFunction(leftOut ? "__warpo_back_in_left_out" : "__warpo_back", {}, {}, comeBack);
  }

  auto isOwn = [&](uint32_t function) { return functions[function].id && !keptImports[function]; };
  auto tables = wasm::readTableSlots(module, isOwn);
  if (!tables)
    return tables.takeError();
  // The module's code may store a function of another module in its own table too: it comes back by
  // then, or traps and takes all of this with it.
  TableCalls own;
  goByReference(running, own.call[0].before);
  own.call[1].before = own.call[0].before;
  runAgain(running, /*leftOut=*/false, own.call[0].after);
  runAgain(running, /*leftOut=*/true, own.call[1].after);
  keepBits(running, ~(runs ^ tailCall), own.tailCall[0].before);
  own.tailCall[1].before.i32Const(tailCall).globalSet(running);
  traps.toInstrumented_ = own.call[1];
  traps.toInstrumented_.byReference = true;
  traps.tailCallToInstrumented_ = own.tailCall[1];
  traps.tailCallToInstrumented_.byReference = true;
  goOut(running, traps.tailCallToImport_.before);

  // Behind a tail call nothing runs that could restore the root. So it is lost where the callee may
  // be the host's, which would else seem to come in a second time.
  TableCalls unknown = own;
  unknown.tailCall[0] = unknown.tailCall[1];
  traps.references_ = unknown;
  for (wasm::CallSiteEdit &call : traps.references_.call) {
    wasm::CodeSequence before;
    before.raw("ref.as_non_null"_op).append(call.before);
    call.before = std::move(before);
  }
  // What begins on the other stack is no root, even if a function that is left out goes there: it
  // may go on below another one.
  for (bool leftOut : {false, true}) {
    wasm::CallSiteEdit &around = traps.switches_[leftOut];
    around.before.globalGet(running).i32Const(~stateBits);
    around.before.raw("i32.and"_op).i32Const(byReference).raw("i32.or"_op).globalSet(running);
    runAgain(running, leftOut, around.after);
  }
  for (auto [index, slots] : enumerate(*tables)) {
    if (!slots.isShared && !slots.holdsOthers) {
      traps.tables_.push_back(own);
      continue;
    }
    wasm::ValueType type = slots.is64 ? wasm::ValueType::i64 : wasm::ValueType::i32;
    wasm::FunctionRef check =
        editor.addFunction("__warpo_call_table_" + std::to_string(index), type, type,
                           checkSlot(uint32_t(index), slots, running));
    TableCalls &calls = traps.tables_.emplace_back(unknown);
    for (bool leftOut : {false, true}) {
      wasm::CallSiteEdit call;
      call.before.call(check);
      call.after.call(traps.comeBack_[leftOut]);
      calls.call[leftOut] = std::move(call);
    }
  }
  traps.prependWaysOut();
  return traps;
}

void Traps::editReference(const wasm::ReferenceSite &site, int32_t rootId,
                          wasm::ReferenceEdit &edit) const {
  // A function that only the host calls by reference needs no test for other calls; then even a
  // call that a trap has kept from arriving shows.
  bool isCertain = !site.statistics.usesReferences && !site.statistics.usesContinuations;
  bool isInternal = !isCertain || isCalledByReference_[site.function];
  // A function that makes a tail call has returned by then.
  bool isKnown = rootId && !site.makesTailCalls;
  int32_t entered = isKnown ? rootId << 2 | runs : rootId ? runs : out;
  // Where the root is not known, neither is what waits.
  int32_t enteredBelow = !rootId ? someRoot : isKnown ? entered | nested : entered;

  uint8_t before = edit.addedLocals++;
  edit.entry.globalGet(running_).addedLocalSet(before);
  if (isInternal) {
    edit.tailCondition.addedLocalGet(before).i32Const(stateBits).raw("i32.and"_op);
    edit.tailCondition.i32Const(tailCall).raw("i32.eq"_op);
    edit.tailEntry.addedLocalGet(before).i32Const(runs).raw("i32.or"_op).globalSet(running_);
  }
  wasm::CodeSequence &code = edit.ordinaryEntry;
  code.addedLocalGet(before).i32Const(isInternal ? runs & ~byReference : stateBits);
  code.raw({"i32.and"_op, "if"_op, wasm::emptyBlockType});
  code.addedLocalGet(before).call(trapped_).addedLocalSet(before).raw("end"_op);
  if (isInternal)
    code.addedLocalGet(before).i32Const(runs).raw("i32.or"_op);
  code.i32Const(enteredBelow).i32Const(entered).addedLocalGet(before).raw(selectCode);
  if (isInternal)
    code.addedLocalGet(before).i32Const(byReference).raw({"i32.and"_op, selectCode});
  code.globalSet(running_);
  // A stack may have been left meanwhile, and go on below another root than it had then. What the
  // host calls is not left: its own frames are on that stack.
  if (site.statistics.usesContinuations) {
    edit.exit.globalGet(running_).i32Const(~stateBits).raw("i32.and"_op);
    edit.exit.addedLocalGet(before).i32Const(stateBits).raw({"i32.and"_op, "i32.or"_op});
    edit.exit.addedLocalGet(before).addedLocalGet(before).i32Const(stateBits);
    edit.exit.raw({"i32.and"_op, selectCode}).globalSet(running_);
  } else {
    edit.exit.addedLocalGet(before).globalSet(running_);
  }
  if (isInternal && isCertain) {
    // The exception goes on where the call came from, and no code of a call site runs there.
    wasm::CodeSequence &exit = edit.exceptionExit;
    exit.addedLocalGet(before).addedLocalGet(before).i32Const(byReference).raw("i32.and"_op);
    exit.i32Const(1).raw({"i32.shl"_op, "i32.or"_op}).globalSet(running_);
  }
}

void Traps::editThunk(wasm::FunctionEdit &edit) const {
  uint8_t before = edit.addedLocals++;
  edit.entry.globalGet(running_).addedLocalSet(before);
  goOut(running_, edit.entry);
  wasm::CodeSequence exit;
  tellCaught(exit);
  exit.addedLocalGet(before).globalSet(running_).append(edit.exit);
  edit.exit = std::move(exit);
}

void Traps::editAround(wasm::FunctionEdit &edit) const {
  goOut(running_, edit.entry);
  wasm::CodeSequence exit;
  exit.call(comeBack_[1]).append(edit.exit);
  edit.exit = std::move(exit);
}

// Calls by reference that leave the module for both get their code once: the way out comes first.
void Traps::prependWaysOut() {
  auto prepend = [&](TableCalls &calls, const wasm::CallSite &site) {
    const wasm::CallSiteEdit *wayOut = waysOut_ ? waysOut_->at(site) : nullptr;
    if (!wayOut)
      return;
    for (bool leftOut : {false, true})
      for (wasm::CallSiteEdit *call : {&calls.call[leftOut], &calls.tailCall[leftOut]}) {
        wasm::CodeSequence before = wayOut->before;
        before.append(call->before);
        call->before = std::move(before);
      }
  };
  for (auto [index, calls] : enumerate(tables_))
    prepend(calls, {.target = wasm::CallTarget::table, .index = uint32_t(index)});
  prepend(references_, {.target = wasm::CallTarget::reference});
}

// Behind a way out: if code runs, the host has caught a trap meanwhile, and not called again.
void Traps::tellCaught(wasm::CodeSequence &code) const {
  code.globalGet(running_).i32Const(runs & ~byReference);
  code.raw({"i32.and"_op, "if"_op, wasm::emptyBlockType});
  code.globalGet(running_).call(trapped_).globalSet(running_).raw("end"_op);
}

void Traps::editCalls(wasm::ModuleEditor &editor, bool surroundsImports) const {
  // Ways out are for instrumentations with variables, which thunks alone have.
  assert(!waysOut_ || !surroundsImports);
  BitVector callers = isLeftOut_;
  if (surroundsImports || (waysOut_ && waysOut_->editsNamedCalls()))
    callers.set();
  auto edits = [this, surroundsImports](const wasm::CallSite &site) -> const wasm::CallSiteEdit * {
    bool leftOut = isLeftOut_[site.caller];
    if (site.target == wasm::CallTarget::function) {
      if (isImported_[site.index] && waysOut_)
        return waysOut_->at(site);
      if (isImported_[site.index])
        return surroundsImports && site.isTail ? &tailCallToImport_ : nullptr;
      if (!leftOut || isLeftOut_[site.index])
        return nullptr;
      return site.isTail ? &tailCallToInstrumented_ : &toInstrumented_;
    }
    bool isKnown = site.target == wasm::CallTarget::table && site.index < tables_.size();
    const TableCalls &calls = isKnown ? tables_[site.index] : references_;
    return site.isTail ? &calls.tailCall[leftOut] : &calls.call[leftOut];
  };
  editor.editCallSites(callers, edits);
}

namespace {

class TrapsInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs() const override { return {.traps = true}; }
  Error declare(ModuleDeclarations &) override { return Error::success(); }
};

warpo::Registry<Instrumentation>::Add<TrapsInstrumentation>
    registration("traps", "calls that a trap has ended, reported when the host calls again");

} // namespace
