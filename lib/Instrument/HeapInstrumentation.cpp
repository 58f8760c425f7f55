//===- HeapInstrumentation.cpp - What allocators do, and who calls them ---===//
// SPDX-License-Identifier: Apache-2.0
//
// `builtin.heap`, of type (i32 operation, f64 address, f64 size, f64 old address) -> (), gets each
// outermost call of an allocator. The code is in the allocators themselves (AllocatorCode.h), so it
// does not matter who calls them. Sizes of memories and tables that have changed are reported too
// (MemorySizes.h, TableSizes.h): in allocators, and in all code around what makes them grow.
//
// Numbers are f64, which hosts take without allocating: they are exact to 2^53.
//
// The calls around an allocator are reported as by `sample`: `builtin.enterFrame` and
// `builtin.leaveFrame`, at entries and exits or, from a memory of the module's own, when something
// is reported of a heap (StackMemory.h), of the functions that may be open then (HeapCallers.h); of
// some of them around the calls within which something may be reported, or not before something
// is (FramesAtCalls.h). In the latter forms, and if the host takes the engine's stack, these
// functions, or all, begin with their ids as unused constants, by which hosts that read the code
// recognise them.
//
//===----------------------------------------------------------------------===//

#include "AllocatorCode.h"
#include "FramesAtCalls.h"
#include "HeapCallers.h"
#include "MemorySizes.h"
#include "StackMemory.h"
#include "TableSizes.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// What an instruction makes grow, by its index; the host may grow memory 0 in a call.
struct Grown {
  enum Kind : uint8_t { nothing, memory, table, byHost } kind = nothing;
  uint32_t index = 0;
  bool operator==(const Grown &) const = default;
};

constexpr InstrumentationOption::Value stacks[] = {
    {"contexts", "entries and exits, as they happen"},
    {"memory", "the same, kept in a memory"},
    {"engine", "the engine's own stack"}};
constexpr InstrumentationOption heapOptions[] = {
    {"heap-stack", "The source of stacks for heap events (default: contexts)", stacks},
    {"allocator", "Further allocators, as in alloc:get(size)->address", {}, "list"}};

class HeapInstrumentation : public Instrumentation {
public:
  ArrayRef<InstrumentationOption> options() const override { return heapOptions; }
  Error setOption(StringRef name, StringRef value) override {
    if (name == "heap-stack")
      stack_ = value == "contexts" ? Stack::reported
               : value == "memory" ? Stack::kept
                                   : Stack::engines;
    else
      given_ = value.str();
    return Error::success();
  }

  InstrumentationNeeds needs() const override {
    return {.functions = true,
            .exits = reportsStack(),
            .frames = reportsStack(),
            .bodies = true,
            .code = true,
            .unwinding = !reportsStack(),
            .waysOut = stack_ == Stack::kept,
            .variables = stack_ == Stack::kept};
  }

  Error declare(ModuleDeclarations &declarations) override;

  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override {
    if (reportsStack() && !callers_.test(site.index))
      return;
    if (atCalls_.has(site.index) || atCalls_.behindTest(site.index)) {
      edit.entry.i32Const(site.id).raw("drop"_op);
      return;
    }
    if (atCalls_.pends(site.index)) {
      edit.entry.i32Const(site.id).raw("drop"_op);
      beginPending(site.id, edit.entry);
      endPending(site.id, edit.exit);
      return;
    }
    if (stack_ != Stack::reported) {
      edit.entry.i32Const(site.id).raw("drop"_op);
      if (stack_ == Stack::kept)
        kept_.instrument(site, edit);
      return;
    }
    // Callers of imported functions have reported what was pending. Hosts recognise thunks by their
    // first instructions.
    if (!site.isImported) {
      bool isWayIn = atCalls_.isWayIn(site.index);
      if (pending_ || (keepsBack() && isWayIn) || (late_ && atCalls_.comesBehindLate(site.index)))
        edit.entry.i32Const(site.id).raw("drop"_op);
      if (isWayIn)
        setFramesAside(edit);
      else
        reportPending(edit.entry);
    }
    reportLate(site.index, edit.entry);
    site.pushCallId(edit.entry);
    edit.entry.call(enterFrame_);
    if (site.isImported)
      forgetPending(edit.exit);
    site.pushCallId(edit.exit);
    edit.exit.call(leaveFrame_);
  }
  void reportTrapped(wasm::CodeSequence &code, bool isOutermost) const override {
    allocatorCode_.reportTrapped(code);
    if (stack_ == Stack::kept)
      kept_.reportTrapped(code, isOutermost);
    if (stack_ != Stack::reported)
      return;
    for (int i = 0; i != (isOutermost ? 2 : 1); ++i)
      code.i32Const(trapId).call(enterFrame_);
    code.localGet(0).call(leaveFrame_);
  }
  void instrumentWayOut(wasm::CodeSequence &code) const override {
    if (stack_ == Stack::kept)
      kept_.report(code);
  }
  void instrumentBody(uint32_t function, bool isInstrumented,
                      wasm::FunctionEdit &edit) const override;
  void instrumentCode(uint32_t function, wasm::CodeInsertions &insertions) const override;

private:
  wasm::FunctionRef addStackReport(ModuleDeclarations &declarations) const;
  void addReportsBehindPending(ModuleDeclarations &declarations);
  void addSmallFunctions(ModuleDeclarations &declarations) const;
  bool callsHost(const wasm::Instruction &instruction) const;
  void reportPending(wasm::CodeSequence &code) const;
  void forgetPending(wasm::CodeSequence &code) const;
  void setFramesAside(wasm::FunctionEdit &edit) const;
  void beginPending(int32_t id, wasm::CodeSequence &code) const;
  void endPending(int32_t id, wasm::CodeSequence &code) const;
  void reportLate(uint32_t function, wasm::CodeSequence &code) const;
  void reportCaller(wasm::CodeSequence &code) const;
  void endUnlessLate(wasm::GlobalRef late, int32_t id, wasm::CodeSequence &code) const;
  void endLate(int32_t id, wasm::CodeSequence &code) const;
  void reportFrameAtCalls(uint32_t function, wasm::CodeInsertions &insertions) const;

  std::string given_;
  /// Reported at entries and exits, kept and reported late, or the engine's.
  enum class Stack { reported, kept, engines } stack_ = Stack::reported;
  bool reportsStack() const { return stack_ != Stack::engines; }
  bool keepsBack() const { return pending_ || caller_ || late_; }
  StackMemory kept_;
  const wasm::Module *module_ = nullptr;
  Allocators allocators_;
  /// By function: those that may be open when something is reported.
  BitVector callers_;
  /// Of these, those that report their frames around calls.
  FramesAtCalls atCalls_;
  /// The id of an open call whose frame has not been reported, or 0; only where there may be one.
  std::optional<wasm::GlobalRef> late_;
  /// The id of an open call around these whose frame has not been reported, or 0; only where there
  /// may be one.
  std::optional<wasm::GlobalRef> pending_;
  /// The caller of an allocator whose frame has not been reported, as the allocator adds it to its
  /// operation, or 0; only where there may be one.
  std::optional<wasm::GlobalRef> caller_;
  MemorySizes memories_;
  TableSizes tables_;
  AllocatorCode allocatorCode_{memories_, tables_};
  wasm::FunctionRef heap_, enterFrame_, leaveFrame_;
  /// They report a pending frame first.
  wasm::FunctionRef heapBehindPending_, enterBehindPending_;
};

} // namespace

// In place of builtin.heap: reports the stack first, without the allocator.
wasm::FunctionRef HeapInstrumentation::addStackReport(ModuleDeclarations &declarations) const {
  constexpr wasm::ValueType f64 = wasm::ValueType::f64;
  wasm::CodeSequence code;
  code.localGet(0).i32Const(AllocatorCode::innermostIsAllocator).raw("i32.and"_op);
  kept_.reportAround(code);
  code.localGet(0).i32Const(~AllocatorCode::innermostIsAllocator).raw("i32.and"_op);
  code.localGet(1).localGet(2).localGet(3).call(heap_);
  return declarations.addFunction("builtin.heap (stack)", {wasm::ValueType::i32, f64, f64, f64}, {},
                                  code);
}

// In place of builtin.heap where no pending frame is passed on, and of builtin.enterFrame around
// calls, where engines inline the function around them only if it is short.
void HeapInstrumentation::addReportsBehindPending(ModuleDeclarations &declarations) {
  heapBehindPending_ = heap_;
  enterBehindPending_ = enterFrame_;
  if (!atCalls_.anyPends())
    return;
  pending_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  constexpr wasm::ValueType i32 = wasm::ValueType::i32, f64 = wasm::ValueType::f64;
  wasm::CodeSequence code;
  reportPending(code);
  code.localGet(0).localGet(1).localGet(2).localGet(3).call(heap_);
  heapBehindPending_ =
      declarations.addFunction("builtin.heap (pending)", {i32, f64, f64, f64}, {}, code);
  code.clear();
  reportPending(code);
  code.localGet(0).call(enterFrame_);
  enterBehindPending_ = declarations.addFunction("builtin.enterFrame (pending)", i32, {}, code);
}

Error HeapInstrumentation::declare(ModuleDeclarations &declarations) {
  module_ = declarations.module().original;
  auto allocators = Allocators::find(*module_, given_);
  if (!allocators)
    return allocators.takeError();
  allocators_ = std::move(*allocators);
  for (const std::string &other : allocators_.ofOtherType())
    declarations.warn(other + ", which no known allocator of this name has: what it does is not "
                              "recorded, unless --allocator describes it");
  if (allocators_.empty())
    declarations.warn(
        "no function is known to allocate: only the growth of memories and tables is recorded; "
        "--allocator names others");
  if (StringRef one = allocators_.servingOnlyHost(); !one.empty())
    declarations.warn(
        "of its allocators only those for the host are known, such as " + one.str() +
        ": what the module itself allocates is not recorded, and what it frees seems to stay; "
        "compile with names, or --allocator names others, as in alloc:func[25](size)->address");
  if (Error error = allocators_.leaveOutInner(*module_))
    return error;
  if (reportsStack()) {
    auto callers = findHeapCallers(*module_, allocators_.functions(module_->functionCount()));
    if (!callers)
      return callers.takeError();
    callers_ = std::move(*callers);
    if (Error error = atCalls_.find(declarations.module(), callers_,
                                    allocators_.functions(module_->functionCount()),
                                    /*mayPassOn=*/stack_ == Stack::reported))
      return error;
  }
  wasm::FunctionRef import = declarations.importHostCall(wasm::HostCall::heap);
  heap_ = import;
  if (stack_ == Stack::kept) {
    if (Error error = kept_.declare(declarations, "--heap-stack=contexts"))
      return error;
    heap_ = addStackReport(declarations);
  } else if (stack_ == Stack::reported) {
    enterFrame_ = declarations.importHostCall(wasm::HostCall::enterFrame);
    leaveFrame_ = declarations.importHostCall(wasm::HostCall::leaveFrame);
    if (atCalls_.anyMayBeLate())
      late_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
    if (atCalls_.anyPassesOn())
      caller_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  }
  addReportsBehindPending(declarations);
  memories_ = MemorySizes(*module_);
  // Hosts hear of each entry and exit of a reported stack anyway.
  bool mayLeaveOut = stack_ != Stack::reported;
  if (Error error = allocatorCode_.declare(declarations, allocators_, import, heap_, mayLeaveOut))
    return error;
  memories_.declare(declarations, heapBehindPending_);
  tables_.declare(declarations, heapBehindPending_);
  if (!declarations.module().willBeOptimized)
    addSmallFunctions(declarations);
  return Error::success();
}

// V8 takes few small functions as a sign that a compiler has inlined the others, and then inlines
// less itself: to the full only if every second function is small. Code makes small functions
// larger, so empty ones take their place.
void HeapInstrumentation::addSmallFunctions(ModuleDeclarations &declarations) const {
  constexpr size_t small = 50, mark = 6, mostAdded = 16;
  size_t left = 0;
  for (const auto &[i, body] : enumerate(module_->bodies)) {
    uint32_t function = module_->importedFunctionCount() + uint32_t(i);
    bool isEdited = reportsStack() ? callers_.test(function) : allocators_.of(function) != nullptr;
    left += !isEdited && body.bytes.size() + mark < small;
  }
  size_t others = module_->functionCount() + mostAdded - left;
  if (others > left)
    declarations.addEmptyFunctions(uint32_t(others - left));
}

void HeapInstrumentation::instrumentBody(uint32_t function, bool isInstrumented,
                                         wasm::FunctionEdit &edit) const {
  // One that is not instrumented calls only functions that the host may call.
  bool isWayIn = atCalls_.isWayIn(function);
  if (!isInstrumented && isWayIn)
    setFramesAside(edit);
  if (const Allocator *allocator = allocators_.of(function))
    allocatorCode_.instrument(function, *allocator,
                              {.isReported = isInstrumented && !atCalls_.has(function),
                               .caller = atCalls_.passesOn(function) ? caller_ : std::nullopt,
                               .pending = isWayIn ? std::nullopt : pending_,
                               .heapBehindPending = heapBehindPending_},
                              edit);
}

// JavaScript grows the memory for Emscripten's allocators.
bool HeapInstrumentation::callsHost(const wasm::Instruction &instruction) const {
  return *instruction.begin == "call"_op && instruction.index() < module_->importedFunctionCount();
}

// To be called before anything else is reported.
void HeapInstrumentation::reportPending(wasm::CodeSequence &code) const {
  if (!pending_)
    return;
  code.globalGet(*pending_).raw({"if"_op, wasm::emptyBlockType});
  code.globalGet(*pending_).call(enterFrame_);
  code.i32Const(0).globalSet(*pending_).raw("end"_op);
}

// To be called where no frame is pending, except one that a trap or an exception has left.
void HeapInstrumentation::forgetPending(wasm::CodeSequence &code) const {
  if (pending_)
    code.i32Const(0).globalSet(*pending_);
}

// Where the host may call. If it handles a report, the frames that the reporting function has kept
// back are still its own when this call returns.
void HeapInstrumentation::setFramesAside(wasm::FunctionEdit &edit) const {
  for (const std::optional<wasm::GlobalRef> &keptBack : {pending_, caller_, late_}) {
    if (!keptBack)
      continue;
    uint32_t aside = edit.addedLocals++;
    edit.entry.globalGet(*keptBack).addedLocalSet(aside);
    edit.entry.i32Const(0).globalSet(*keptBack);
    edit.exit.addedLocalGet(aside).globalSet(*keptBack);
  }
}

void HeapInstrumentation::beginPending(int32_t id, wasm::CodeSequence &code) const {
  code.globalGet(*pending_).raw({"if"_op, wasm::emptyBlockType});
  code.globalGet(*pending_).call(enterFrame_).raw("end"_op);
  code.i32Const(id).globalSet(*pending_);
}

// Frames within have ended, so if one is pending, it is this one.
void HeapInstrumentation::endPending(int32_t id, wasm::CodeSequence &code) const {
  code.globalGet(*pending_).raw({"if"_op, wasm::emptyBlockType});
  code.i32Const(0).globalSet(*pending_).raw("else"_op);
  code.i32Const(id).call(leaveFrame_).raw("end"_op);
}

// To be called before a function reports its own frame.
void HeapInstrumentation::reportLate(uint32_t function, wasm::CodeSequence &code) const {
  if (!late_ || !atCalls_.comesBehindLate(function))
    return;
  code.globalGet(*late_).raw({"if"_op, wasm::emptyBlockType});
  reportPending(code);
  if (caller_)
    reportCaller(code);
  code.globalGet(*late_).call(enterFrame_);
  code.i32Const(0).globalSet(*late_).raw("end"_op);
}

// It comes before that of an allocator.
void HeapInstrumentation::reportCaller(wasm::CodeSequence &code) const {
  code.globalGet(*caller_).raw({"if"_op, wasm::emptyBlockType});
  code.globalGet(*caller_).i32Const(AllocatorCode::callerShift).raw("i32.shr_u"_op);
  code.i32Const(firstFunctionId - 1).raw("i32.add"_op).call(enterFrame_);
  code.i32Const(0).globalSet(*caller_).raw("end"_op);
}

void HeapInstrumentation::endUnlessLate(wasm::GlobalRef late, int32_t id,
                                        wasm::CodeSequence &code) const {
  code.globalGet(late).raw({"i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  code.i32Const(id).call(leaveFrame_).raw("end"_op);
}

void HeapInstrumentation::endLate(int32_t id, wasm::CodeSequence &code) const {
  endUnlessLate(*late_, id, code);
  code.i32Const(0).globalSet(*late_);
}

// It does nothing else that is reported.
void HeapInstrumentation::reportFrameAtCalls(uint32_t function,
                                             wasm::CodeInsertions &insertions) const {
  using When = FramesAtCalls::When;
  auto begin = [&](int32_t id, When when, wasm::CodeSequence &code) {
    if (stack_ == Stack::kept) {
      kept_.begin(id, code);
      return;
    }
    reportLate(function, code);
    if (when == When::byAllocator) {
      code.i32Const(int32_t(idOffset(id) + 1) << AllocatorCode::callerShift).globalSet(*caller_);
      return;
    }
    code.i32Const(id);
    if (when != When::late) {
      code.call(enterBehindPending_);
      return;
    }
    code.globalSet(*late_);
    // It may be that of an allocator that has trapped.
    if (caller_ && !atCalls_.passesOn(function))
      code.i32Const(0).globalSet(*caller_);
  };
  auto end = [&](int32_t id, When when, wasm::CodeSequence &code) {
    if (stack_ == Stack::kept)
      kept_.end(code);
    else if (when == When::byAllocator)
      // Each call of such an allocator sets it anew.
      endUnlessLate(*caller_, id, code);
    else if (when == When::late)
      endLate(id, code);
    else {
      if (when == When::byReference)
        forgetPending(code);
      code.i32Const(id).call(leaveFrame_);
    }
  };
  atCalls_.insert(*module_, function, begin, end, insertions);
}

void HeapInstrumentation::instrumentCode(uint32_t function,
                                         wasm::CodeInsertions &insertions) const {
  if (atCalls_.has(function)) {
    reportFrameAtCalls(function, insertions);
    return;
  }
  const wasm::ByteRange &body = module_->bodies[function - module_->importedFunctionCount()];
  const FramesAtCalls::Part *part = atCalls_.behindTest(function);
  if (part) {
    wasm::CodeSequence &code = insertions.at(uint32_t(part->begin - body.bytes.begin()));
    reportLate(function, code);
    if (atCalls_.pends(function))
      beginPending(part->id, code);
    else
      code.i32Const(part->id).call(enterBehindPending_);
  }
  ByteCursor cursor(body.bytes);
  wasm::skipLocals(cursor);
  Grown grown;
  bool mayLeavePending = false;
  wasm::Instruction instruction;
  auto codeHere = [&]() -> wasm::CodeSequence & {
    return insertions.at(uint32_t(instruction.begin - body.bytes.begin()));
  };
  auto report = [&](const Grown &what, bool isFound) {
    if (what.kind == Grown::nothing)
      return;
    wasm::CodeSequence &code = codeHere();
    if (what.kind == Grown::memory)
      memories_.report(what.index, isFound, code);
    else if (what.kind == Grown::byHost)
      memories_.reportFirst(isFound, code);
    else
      tables_.report(what.index, isFound, code);
  };
  for (wasm::CodeWalker walker(cursor); walker.next(instruction);) {
    Grown grows;
    if (memories_.grows(instruction))
      grows = {Grown::memory, instruction.index()};
    else if (tables_.grows(instruction))
      grows = {Grown::table, instruction.index()};
    else if (callsHost(instruction))
      grows = {Grown::byHost, 0};
    if (mayLeavePending)
      forgetPending(codeHere());
    mayLeavePending = atCalls_.mayLeavePending(instruction);
    report(grown, /*isFound=*/false);
    if (grows != grown)
      report(grows, /*isFound=*/true);
    grown = grows;
    if (atCalls_.endsPending(function, instruction))
      reportPending(codeHere());
    if (late_ && atCalls_.endsLate(function, instruction))
      codeHere().i32Const(0).globalSet(*late_);
    if (caller_ && atCalls_.passesNothing(function, instruction))
      codeHere().i32Const(0).globalSet(*caller_);
  }
  // Behind what else is reported at its end.
  if (!part)
    return;
  wasm::CodeSequence &code = insertions.at(uint32_t(part->end - body.bytes.begin()));
  if (atCalls_.pends(function))
    endPending(part->id, code);
  else
    code.i32Const(part->id).call(leaveFrame_);
}

warpo::Registry<Instrumentation>::Add<HeapInstrumentation>
    registration("heap", "what allocators do, and the calls around them");
