//===- Traps.cpp ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Traps.h"
#include "Landings.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include "warpo/Wasm/TableSlots.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// The low two bits of `running_`. The others are the root: the id of the call by which the host
/// entered the module, `someRoot` if unknown.
enum State : int32_t {
  out = 0,         ///< the host has control, or is about to begin a call
  byReference = 1, ///< a call of one of the module's own functions is about to begin
  tailCall = 2,    ///< the same, a tail call
  runs = 3,
};

constexpr int32_t stateBits = 3;
/// Set in addition if the root was called while another call waits for the host to return.
constexpr int32_t nested = INT32_MIN;
/// In the place of a root while the host has control: another call waits, or may wait. While code
/// runs: below which root is unknown.
constexpr int32_t someRoot = 1 << 2;
/// Values with a root are at least this, as unsigned numbers.
constexpr int32_t firstRoot = 2 << 2;
/// `select` without a type: another opcode has the same name.
constexpr uint8_t selectCode = 0x1b;
/// Ids below this fit into the root.
constexpr int64_t maxRoot = int64_t(1) << 29;

// While code runs, the state is `runs`. But if a left-out function runs for the host, the state is
// `out`, and the root is 0 or `someRoot`.

void keepBits(wasm::GlobalRef running, int32_t mask, wasm::CodeSequence &code) {
  code.globalGet(running).i32Const(mask).raw("i32.and"_op).globalSet(running);
}

void goByReference(wasm::GlobalRef running, wasm::CodeSequence &code) {
  keepBits(running, ~(runs ^ byReference), code);
}

void goOut(wasm::GlobalRef running, wasm::CodeSequence &code) {
  keepBits(running, ~stateBits, code);
}

// Behind a call by reference or a call of the host; the root is still set.
void runAgain(wasm::GlobalRef running, bool leftOut, wasm::CodeSequence &code) {
  code.globalGet(running).i32Const(runs).raw("i32.or"_op);
  if (leftOut) {
    code.globalGet(running).i32Const(someRoot).raw("i32.and"_op);
    code.globalGet(running).i32Const(firstRoot).raw({"i32.ge_u"_op, selectCode});
  }
  code.globalSet(running);
}

/// The code of a function (index) -> index that sets the state for a call through a table.
/// Functions that are in the table from the start count as the module's own, all others as the
/// host's. If the slot is empty, the call will trap.
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

/// The code of a function that takes a value of `running_` and returns its new value.
wasm::CodeSequence codeOfTrapped(const wasm::CodeSequence &reportInnermost,
                                 const wasm::CodeSequence &reportOutermost) {
  const uint8_t ifHead[] = {"if"_op, wasm::emptyBlockType};
  wasm::CodeSequence code;
  // If the root is unknown, so is the call that waits.
  code.localGet(0).i32Const(firstRoot).raw("i32.lt_u"_op).raw(ifHead);
  code.i32Const(someRoot).raw({"return"_op, "end"_op});
  // A recursive root is open several times. If no call waits, all of these have ended. Otherwise
  // those above the waiting call have ended, and only the innermost is certain to be above it.
  for (const auto &[report, value, test] :
       {std::tuple(&reportOutermost, int32_t(out), "i32.ge_s"_op),
        std::tuple(&reportInnermost, someRoot, "i32.lt_s"_op)}) {
    code.localGet(0).i32Const(0).raw(test).raw(ifHead);
    code.localGet(0).i32Const(1).raw("i32.shl"_op).i32Const(3);
    code.raw({"i32.shr_u"_op, "local.set"_op, 0});
    code.append(*report).i32Const(value).raw({"return"_op, "end"_op});
  }
  return code.i32Const(out);
}

} // namespace

// Functions called by left-out functions become ways in.
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
                              const wasm::CodeSequence &reportInnermost,
                              const wasm::CodeSequence &reportOutermost,
                              std::optional<wasm::FunctionRef> enterModule,
                              const WaysOut *waysOut) {
  Traps traps(module);
  traps.enterModule_ = enterModule;
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
  if (Error error = traps.findHandlers())
    return error;

  wasm::GlobalRef running = traps.running_ =
      editor.addGlobal(wasm::ValueType::i32, /*isMutable=*/true, out);
  traps.trapped_ = editor.addFunction("__warpo_trapped", wasm::ValueType::i32, wasm::ValueType::i32,
                                      codeOfTrapped(reportInnermost, reportOutermost));
  if (enterModule)
    if (Error error = traps.exportReport(editor))
      return error;

  for (bool leftOut : {false, true}) {
    wasm::CodeSequence comeBack;
    traps.reportCaught(comeBack);
    runAgain(running, leftOut, comeBack);
    traps.comeBack_[leftOut] =
        editor.addFunction(leftOut ? "__warpo_back_in_left_out" : "__warpo_back", {}, {}, comeBack);
  }

  auto isOwn = [&](uint32_t function) { return functions[function].id && !keptImports[function]; };
  auto tables = wasm::readTableSlots(module, isOwn);
  if (!tables)
    return tables.takeError();
  // The module's code may also store a function of another module in its own table. A call of it
  // has returned by then, or has trapped and ended all of these calls.
  TableCalls own;
  goByReference(running, own.call[0].before);
  own.call[1].before = own.call[0].before;
  runAgain(running, /*leftOut=*/false, own.call[0].after);
  runAgain(running, /*leftOut=*/true, own.call[1].after);
  keepBits(running, ~(runs ^ tailCall), own.tailCall[0].before);
  own.tailCall[1].before.i32Const(tailCall | someRoot).globalSet(running);
  traps.toInstrumented_ = own.call[1];
  traps.toInstrumented_.byReference = true;
  traps.tailCallToInstrumented_ = own.tailCall[1];
  traps.tailCallToInstrumented_.byReference = true;
  goOut(running, traps.tailCallToImport_.before);

  // No code runs behind a tail call that could restore the root. So if the callee may be the
  // host's, the root is dropped; otherwise the host would seem to enter a second time.
  TableCalls unknown = own;
  unknown.tailCall[0] = unknown.tailCall[1];
  traps.references_ = unknown;
  for (wasm::CallSiteEdit &call : traps.references_.call) {
    wasm::CodeSequence before;
    before.raw("ref.as_non_null"_op).append(call.before);
    call.before = std::move(before);
  }
  // Calls that begin on the other stack are no roots, even if a left-out function switches there:
  // it may continue below another root.
  for (bool leftOut : {false, true}) {
    wasm::CallSiteEdit &around = traps.switches_[leftOut];
    int32_t begins = leftOut ? byReference | someRoot : byReference;
    around.before.globalGet(running).i32Const(~stateBits);
    around.before.raw("i32.and"_op).i32Const(begins).raw("i32.or"_op).globalSet(running);
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
  // A function that only the host calls by reference needs no test for other calls. Then even a
  // call shows up that a trap prevented from arriving.
  bool isCertain = !site.statistics.usesReferences && !site.statistics.usesContinuations;
  bool isInternal = !isCertain || isCalledByReference_[site.function];
  // A function that makes a tail call has returned before the trap.
  bool isKnown = rootId && !site.makesTailCalls;
  int32_t entered = isKnown ? rootId << 2 | runs : rootId ? someRoot | runs : out;
  // If the root is unknown, so is the waiting call.
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
  code.addedLocalGet(before).call(trapped_).addedLocalSet(before);
  if (enterModule_)
    callEnterModule(before, isInternal, code);
  code.raw("end"_op);
  if (isInternal)
    code.addedLocalGet(before).i32Const(runs).raw("i32.or"_op);
  code.i32Const(enteredBelow).i32Const(entered).addedLocalGet(before).raw(selectCode);
  if (isInternal)
    code.addedLocalGet(before).i32Const(byReference).raw({"i32.and"_op, selectCode});
  code.globalSet(running_);
  // The stack may have been left meanwhile, and continue below a different root. Calls from the
  // host are not left: the host's own frames are on that stack.
  if (site.statistics.usesContinuations) {
    edit.exit.globalGet(running_).i32Const(~stateBits).raw("i32.and"_op);
    edit.exit.addedLocalGet(before).i32Const(stateBits).raw({"i32.and"_op, "i32.or"_op});
    edit.exit.addedLocalGet(before).addedLocalGet(before).i32Const(stateBits);
    edit.exit.raw({"i32.and"_op, selectCode}).globalSet(running_);
  } else {
    edit.exit.addedLocalGet(before).globalSet(running_);
  }
  if (isInternal && isCertain) {
    // The exception continues in the caller, where no code of the call site runs.
    wasm::CodeSequence &exit = edit.exceptionExit;
    exit.addedLocalGet(before).addedLocalGet(before).i32Const(byReference).raw("i32.and"_op);
    exit.i32Const(1).raw({"i32.shl"_op, "i32.or"_op}).globalSet(running_);
  }
}

// Within the `if` of a trap: the host learns of it, and whether calls of this module wait. In the
// `else` it learns that it has entered, unless the module called itself.
void Traps::callEnterModule(uint8_t before, bool isInternal, wasm::CodeSequence &code) const {
  code.addedLocalGet(before).globalSet(running_);
  code.addedLocalGet(before).i32Const(1).raw("i32.add"_op).call(*enterModule_).raw("else"_op);
  if (isInternal) {
    code.addedLocalGet(before).i32Const(byReference).raw({"i32.and"_op, "i32.eqz"_op});
    code.raw({"if"_op, wasm::emptyBlockType});
  }
  code.i32Const(0).call(*enterModule_);
  if (isInternal)
    code.raw("end"_op);
}

void Traps::editThunk(wasm::FunctionEdit &edit) const {
  uint8_t before = edit.addedLocals++;
  edit.entry.globalGet(running_).addedLocalSet(before);
  goOut(running_, edit.entry);
  wasm::CodeSequence exit;
  reportCaught(exit);
  exit.addedLocalGet(before).globalSet(running_).append(edit.exit);
  edit.exit = std::move(exit);
}

void Traps::editAround(wasm::FunctionEdit &edit) const {
  goOut(running_, edit.entry);
  wasm::CodeSequence exit;
  exit.call(comeBack_[1]).append(edit.exit);
  edit.exit = std::move(exit);
}

/// Calls `add` with the offsets of a body's handlers; returns whether the exit is one, too.
static bool forEachHandler(const wasm::ByteRange &body, ByteCursor &cursor,
                           function_ref<void(uint32_t)> add) {
  wasm::skipLocals(cursor);
  SmallVector<uint32_t, 8> labels;
  wasm::CodeWalker walker(cursor, &labels);
  Landings landings;
  for (wasm::Instruction instruction; walker.next(instruction);)
    landings.follow(instruction, labels, uint32_t(instruction.begin - body.bytes.begin()), add);
  return landings.aimsAtExit();
}

Error Traps::findHandlers() {
  handlers_.resize(module_->functionCount());
  handlersAtExit_.resize(module_->functionCount());
  for (const auto &[i, body] : enumerate(module_->bodies)) {
    uint32_t function = module_->importedFunctionCount() + uint32_t(i);
    ByteCursor cursor = body.cursor();
    handlersAtExit_[function] =
        forEachHandler(body, cursor, [&](uint32_t) { handlers_.set(function); });
    if (Error error = cursor.takeError(module_->fileName))
      return error;
  }
  return Error::success();
}

// An exception may have passed over what sets the state. If the host has thrown it, the host has
// entered.
void Traps::editHandlers(uint32_t function, wasm::CodeInsertions &insertions) const {
  if (!handlers_.test(function))
    return;
  wasm::CodeSequence back;
  if (enterModule_) {
    back.globalGet(running_).i32Const(stateBits).raw("i32.and"_op);
    back.raw({"i32.eqz"_op, "if"_op, wasm::emptyBlockType});
    back.call(comeBack_[isLeftOut_[function]]).raw("end"_op);
  }
  runAgain(running_, isLeftOut_[function], back);
  const wasm::ByteRange &body = module_->bodies[function - module_->importedFunctionCount()];
  ByteCursor cursor = body.cursor();
  forEachHandler(body, cursor, [&](uint32_t place) { insertions.at(place).append(back); });
}

void Traps::editExit(uint32_t function, wasm::FunctionEdit &edit) const {
  if (!handlersAtExit_.test(function))
    return;
  wasm::CodeSequence exit;
  runAgain(running_, /*leftOut=*/false, exit);
  edit.exit = exit.append(edit.exit);
}

// Calls by reference that are ways out get the code of both: that of WaysOut comes first.
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

// Other modules ask by it whether a trap has ended this one's code. That of a tail call into
// another module has ended without one.
Error Traps::exportReport(wasm::ModuleEditor &editor) const {
  wasm::CodeSequence report;
  report.globalGet(running_).i32Const(stateBits).raw("i32.and"_op).i32Const(runs);
  report.raw("i32.eq"_op);
  pushReported(report);
  report.globalGet(running_).i32Const(0).raw({"i32.ne"_op, "i32.or"_op});
  return editor
      .addExportedFunction(wasm::reportTrapExport, {}, wasm::ValueType::i32, std::move(report))
      .takeError();
}

// Behind a way out: if the state says that code runs, the host has caught a trap meanwhile and has
// not called again. The call that continues is open.
void Traps::reportCaught(wasm::CodeSequence &code) const {
  code.globalGet(running_).i32Const(runs & ~byReference).raw("i32.and"_op);
  if (enterModule_) {
    pushReported(code);
    code.call(*enterModule_);
    return;
  }
  code.raw({"if"_op, wasm::emptyBlockType}).globalGet(running_).call(trapped_);
  code.globalSet(running_).raw("end"_op);
}

// If the value on the stack is not 0, reports the trap and replaces it by 2, else by 0.
void Traps::pushReported(wasm::CodeSequence &code) const {
  code.raw({"if"_op, uint8_t(wasm::ValueType::i32)}).globalGet(running_).call(trapped_);
  code.globalSet(running_).i32Const(2).raw("else"_op).i32Const(0).raw("end"_op);
}

void Traps::editCalls(wasm::ModuleEditor &editor, bool surroundsImports) const {
  // Ways out are for instrumentations with variables, which only thunks have.
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

constexpr InstrumentationOption::Value scopes[] = {{"module", "enters the module again"},
                                                   {"thread", "enters any module of the thread"}};
constexpr InstrumentationOption trapsOptions[] = {
    {"traps-in", "'traps' reports when the host (default: module)", scopes}};

class TrapsInstrumentation : public Instrumentation {
public:
  ArrayRef<InstrumentationOption> options() const override { return trapsOptions; }
  Error setOption(StringRef, StringRef value) override {
    ofThread_ = value == "thread";
    return Error::success();
  }
  InstrumentationNeeds needs() const override {
    return {.traps = true, .trapsOfThread = ofThread_};
  }
  Error declare(ModuleDeclarations &) override { return Error::success(); }

private:
  bool ofThread_ = false;
};

warpo::Registry<Instrumentation>::Add<TrapsInstrumentation>
    registration("traps", "calls that a trap has ended, reported when the host calls again");

} // namespace
