//===- HeapInstrumentation.cpp - Tells what allocators do -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// `builtin.heap`, of type (i32 operation, f64 address, f64 size, f64 old address) -> (), gets each
// outermost call of an allocator (Allocators.h): a free before it is done, the others once their
// result is known, so that the thread that gets a block reports it after the thread that freed it.
// The code is in the allocators themselves, so it does not matter who calls them. Sizes of memories
// and tables that have changed are reported too (MemorySizes.h, TableSizes.h): in allocators at
// their entry, and in all code around what makes them grow.
//
// Unless the host hears of each entry and exit, a host that samples can have most reports left out
// (HeapFilter.h).
//
// Numbers are f64, which hosts take without allocating: they are exact to 2^53.
//
// The calls around an allocator are reported as by `sample`: `builtin.enterFrame` and
// `builtin.leaveFrame`, at entries and exits or, from a memory of the module's own, when something
// is reported of a heap (StackMemory.h), of the functions that may be open then (HeapCallers.h); of
// some of them around the calls within which something may be reported (FramesAtCalls.h). In
// the latter form, and if the host takes the engine's stack, these functions, or all, begin with
// their ids as unused constants, by which hosts that read the code recognise them.
//
//===----------------------------------------------------------------------===//

#include "Allocators.h"
#include "FramesAtCalls.h"
#include "HeapCallers.h"
#include "HeapFilter.h"
#include "MemoryAccess.h"
#include "MemorySizes.h"
#include "StackMemory.h"
#include "TableSizes.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// Where an allocator's code finds a number of 32 or 64 bits.
struct KeptNumber {
  enum Place : uint8_t { parameter, variable, global } place = global;
  /// Of a parameter or variable.
  uint32_t index = 0;
  wasm::GlobalRef inGlobal = {};
  bool is64 = true;
};

/// What an allocator's code keeps between its begin and its end.
struct KeptCall {
  /// Variables: whether the call is the outermost one of those that are counted, and whether its
  /// result is reported. Without them there is nothing to distinguish.
  std::optional<uint8_t> isOutermost, isReported;
  /// The requested size; the address that it was given, or where the result goes; the result.
  KeptNumber size, old, result;
};

/// What an instruction makes grow, by its index; the host may grow memory 0 in a call.
struct Grown {
  enum Kind : uint8_t { nothing, memory, table, byHost } kind = nothing;
  uint32_t index = 0;
  bool operator==(const Grown &) const = default;
};

/// The reported operation, as numbered by HeapOperation.
enum HeapCall : int32_t { reportsAllocation, reportsFree, reportsReallocation };
/// Added where the innermost open call is the allocator itself, which belongs to no stack.
constexpr int32_t innermostIsAllocator = 8;

/// One of two instructions of this name.
constexpr uint8_t untypedSelect = 0x1b;

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
    if (atCalls_.has(site.index)) {
      edit.entry.i32Const(site.id).raw("drop"_op);
      return;
    }
    if (stack_ != Stack::reported) {
      edit.entry.i32Const(site.id).raw("drop"_op);
      if (stack_ == Stack::kept)
        kept_.instrument(site, edit);
      return;
    }
    site.pushCallId(edit.entry);
    edit.entry.call(enterFrame_);
    site.pushCallId(edit.exit);
    edit.exit.call(leaveFrame_);
  }
  // An allocator that has trapped is open no more.
  void reportTrapped(wasm::CodeSequence &code, bool isOutermost) const override {
    if (open_)
      code.i32Const(0).globalSet(*open_);
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
  void instrumentCode(uint32_t function,
                      std::vector<wasm::CodeInsertion> &insertions) const override;

private:
  /// The reported operation, of the allocators' memory.
  int32_t operation(HeapCall call) const {
    return memories_.isFirstShared() ? call | MemorySizes::sharedFlag : call;
  }
  wasm::FunctionRef addStackReport(ModuleDeclarations &declarations) const;
  KeptCall keepCall(uint32_t function, const Allocator &allocator, wasm::FunctionEdit &edit) const;
  KeptNumber keepParameter(uint32_t function, const Allocator &allocator,
                           AllocatorParameter::Role role, wasm::GlobalRef global,
                           wasm::FunctionEdit &edit) const;
  void reportFree(const Allocator &allocator, bool hasFrame, const KeptCall &call,
                  wasm::CodeSequence &code) const;
  void beginAllocation(const Allocator &allocator, const KeptCall &call,
                       wasm::CodeSequence &code) const;
  void keepArguments(const Allocator &allocator, const KeptCall &call,
                     wasm::CodeSequence &code) const;
  bool isFiltered(const Allocator &allocator) const;
  void beginReported(const Allocator &allocator, wasm::CodeSequence &code) const;
  void reportResult(const Allocator &allocator, const KeptCall &call,
                    wasm::CodeSequence &code) const;
  void enter(const KeptCall &call, wasm::CodeSequence &code) const;
  void leave(const KeptCall &call, wasm::CodeSequence &code) const;
  bool callsHost(const wasm::Instruction &instruction) const;
  void reportFrameAtCalls(uint32_t function, std::vector<wasm::CodeInsertion> &insertions) const;
  void pushResultAddress(const Allocator &allocator, const KeptCall &call,
                         wasm::CodeSequence &code) const;

  std::string given_;
  /// Told the host at entries and exits, kept and told late, or the engine's.
  enum class Stack { reported, kept, engines } stack_ = Stack::reported;
  bool reportsStack() const { return stack_ != Stack::engines; }
  StackMemory kept_;
  /// None where hosts hear of each entry and exit.
  std::optional<HeapFilter> filter_;
  const wasm::Module *module_ = nullptr;
  Allocators allocators_;
  /// By function: those that may be open when something is told.
  BitVector callers_;
  /// Of these, those that tell their frames around calls.
  FramesAtCalls atCalls_;
  MemorySizes memories_;
  TableSizes tables_;
  wasm::FunctionRef heap_, enterFrame_, leaveFrame_;
  /// By function: the allocators within which others may be called. Where no allocator does, none
  /// of their calls are counted.
  BitVector nesting_;
  /// Whether a call of these is open, if there are any.
  std::optional<wasm::GlobalRef> open_;
  /// What KeptCall has no variables for.
  wasm::GlobalRef size_, old_, result_;
};

} // namespace

static void extend(bool is64, wasm::CodeSequence &code) {
  if (!is64)
    code.raw("i64.extend_i32_u"_op);
}

/// Engines convert numbers of 32 bits in one instruction.
static void toFloat(bool is64, wasm::CodeSequence &code) {
  code.raw(is64 ? "f64.convert_i64_u"_op : "f64.convert_i32_u"_op);
}

static void pushZero(wasm::CodeSequence &code) {
  code.i32Const(0);
  toFloat(/*is64=*/false, code);
}

static void pushKept(const KeptNumber &number, wasm::CodeSequence &code) {
  if (number.place == KeptNumber::parameter)
    code.localGet(number.index);
  else if (number.place == KeptNumber::variable)
    code.addedLocalGet(number.index);
  else
    code.globalGet(number.inGlobal);
}

/// Takes the number off the stack.
static void keep(const KeptNumber &number, wasm::CodeSequence &code) {
  if (number.place == KeptNumber::variable)
    code.addedLocalSet(number.index);
  else
    code.globalSet(number.inGlobal);
}

/// An address as the allocator has it, on the stack, becomes that of its block.
static void addOffset(int32_t offset, bool is64, wasm::CodeSequence &code) {
  if (offset == 0)
    return;
  if (is64)
    code.i64Const(offset).raw("i64.add"_op);
  else
    code.i32Const(offset).raw("i32.add"_op);
}

// In place of builtin.heap: of what it tells, the stack goes first, without the allocator.
wasm::FunctionRef HeapInstrumentation::addStackReport(ModuleDeclarations &declarations) const {
  constexpr wasm::ValueType f64 = wasm::ValueType::f64;
  wasm::CodeSequence code;
  code.localGet(0).i32Const(innermostIsAllocator).raw("i32.and"_op);
  kept_.reportAround(code);
  code.localGet(0).i32Const(~innermostIsAllocator).raw("i32.and"_op);
  code.localGet(1).localGet(2).localGet(3).call(heap_);
  return declarations.addFunction("builtin.heap (stack)", {wasm::ValueType::i32, f64, f64, f64}, {},
                                  code);
}

Error HeapInstrumentation::declare(ModuleDeclarations &declarations) {
  module_ = declarations.module().original;
  auto allocators = Allocators::find(*module_, given_);
  if (!allocators)
    return allocators.takeError();
  allocators_ = std::move(*allocators);
  if (allocators_.empty())
    declarations.warn(
        "no function is known to allocate: only the growth of memories and tables is recorded; "
        "--allocator names others, as in alloc:get(size)->address,free:put(address), or "
        "by number if names were stripped: alloc:func[25](size)->address");
  if (allocators_.serveOnlyHost())
    declarations.warn(
        "of its allocators only those for the host are known, such as __wbindgen_malloc: what the "
        "module itself allocates is not recorded, and what it frees seems to stay; compile with "
        "names, or --allocator names others, as in alloc:func[25](size)->address");
  if (Error error = allocators_.leaveOutInner(*module_))
    return error;
  if (reportsStack()) {
    auto callers = findHeapCallers(*module_, allocators_.functions(module_->functionCount()));
    if (!callers)
      return callers.takeError();
    callers_ = std::move(*callers);
    if (Error error = atCalls_.find(declarations.module(), callers_,
                                    allocators_.functions(module_->functionCount())))
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
  }
  memories_ = MemorySizes(*module_);
  if (stack_ != Stack::reported && !allocators_.empty())
    if (Error error = filter_.emplace().declare(declarations, import, memories_.isFirstShared()))
      return error;
  auto nesting = findNestingAllocators(*module_, allocators_.functions(module_->functionCount()));
  if (!nesting)
    return nesting.takeError();
  nesting_ = std::move(*nesting);
  for (uint32_t function = 0; function != nesting_.size(); ++function)
    if (nesting_.test(function) && allocators_.of(function)->form->collects)
      nesting_.reset(function);
  if (nesting_.any())
    open_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  size_ = declarations.addGlobal(wasm::ValueType::i64, true, 0);
  old_ = declarations.addGlobal(wasm::ValueType::i64, true, 0);
  result_ = declarations.addGlobal(wasm::ValueType::i64, true, 0);
  memories_.declare(declarations, heap_);
  tables_.declare(declarations, heap_);
  return Error::success();
}

static std::optional<uint32_t> find(const Allocator &allocator, AllocatorParameter::Role role) {
  for (const auto &[number, parameter] : enumerate(allocator.form->parameters))
    if (parameter.role == role)
      return uint32_t(number);
  return std::nullopt;
}

/// Whether the function may change one of its parameters.
static bool changes(const wasm::ByteRange &body, uint32_t parameter) {
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);)
    if ((*instruction.begin == "local.set"_op || *instruction.begin == "local.tee"_op) &&
        instruction.index == parameter)
      return true;
  return false;
}

static uint32_t countOf(const Allocator &allocator, AllocatorParameter::Role role) {
  return uint32_t(llvm::count(allocator.form->parameters, AllocatorParameter{role}));
}

// A size that is a product is kept in a global.
KeptNumber HeapInstrumentation::keepParameter(uint32_t function, const Allocator &allocator,
                                              AllocatorParameter::Role role, wasm::GlobalRef global,
                                              wasm::FunctionEdit &edit) const {
  KeptNumber number{.inGlobal = global};
  if (countOf(allocator, role) != 1)
    return number;
  uint32_t parameter = *find(allocator, role);
  bool is64 = allocator.is64(parameter);
  const auto &body = module_->bodies[function - module_->importedFunctionCount()];
  if (!changes(body, parameter))
    return {.place = KeptNumber::parameter, .index = parameter, .is64 = is64};
  if (is64)
    return number;
  return {.place = KeptNumber::variable, .index = edit.addedLocals++, .is64 = false};
}

KeptCall HeapInstrumentation::keepCall(uint32_t function, const Allocator &allocator,
                                       wasm::FunctionEdit &edit) const {
  KeptCall call;
  if (nesting_.test(function))
    call.isOutermost = edit.addedLocals++;
  if (allocator.form->kind == AllocatorKind::frees)
    return call;
  if (open_ || isFiltered(allocator))
    call.isReported = edit.addedLocals++;
  call.size = keepParameter(function, allocator, AllocatorParameter::size, size_, edit);
  bool stores = allocator.form->returnsStatus;
  call.old =
      keepParameter(function, allocator,
                    stores ? AllocatorParameter::out : AllocatorParameter::address, old_, edit);
  if (allocator.returns64())
    call.result = {.inGlobal = result_};
  else
    call.result = {
        .place = KeptNumber::variable, .index = edit.addedLocals++, .inGlobal = {}, .is64 = false};
  return call;
}

// Of an address other than 0, in the outermost allocator. That it is not 0 is looked at last where
// most are left out.
void HeapInstrumentation::reportFree(const Allocator &allocator, bool hasFrame,
                                     const KeptCall &call, wasm::CodeSequence &code) const {
  uint32_t address = *find(allocator, AllocatorParameter::address);
  bool is64 = allocator.is64(address);
  auto pushAddress = [&] {
    code.localGet(address);
    addOffset(allocator.form->offset, is64, code);
  };
  if (open_)
    code.globalGet(*open_).raw({"i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  bool isFiltered = filter_ && filter_->hasCells();
  if (isFiltered) {
    pushAddress();
    filter_->pushIsReported(is64, code);
    code.raw({"if"_op, wasm::emptyBlockType});
  }
  code.localGet(address).raw(is64 ? "i64.eqz"_op : "i32.eqz"_op);
  code.raw({"i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  code.i32Const(operation(reportsFree) | (hasFrame ? innermostIsAllocator : 0));
  pushAddress();
  toFloat(is64, code);
  pushZero(code);
  pushZero(code);
  code.call(heap_).raw("end"_op);
  if (isFiltered)
    code.raw("end"_op);
  enter(call, code);
  if (open_)
    code.raw("end"_op);
}

/// Pushes the requested size, an i64.
static void pushRequestedSize(const Allocator &allocator, wasm::CodeSequence &code) {
  bool isFirst = true;
  for (const auto &[number, parameter] : enumerate(allocator.form->parameters)) {
    if (parameter.role != AllocatorParameter::size)
      continue;
    code.localGet(uint32_t(number));
    extend(allocator.is64(uint32_t(number)), code);
    if (!std::exchange(isFirst, false))
      code.raw("i64.mul"_op);
  }
}

void HeapInstrumentation::keepArguments(const Allocator &allocator, const KeptCall &call,
                                        wasm::CodeSequence &code) const {
  if (call.isReported)
    code.i32Const(1).addedLocalSet(*call.isReported);
  if (call.size.place != KeptNumber::parameter) {
    if (call.size.is64)
      pushRequestedSize(allocator, code);
    else
      code.localGet(*find(allocator, AllocatorParameter::size));
    keep(call.size, code);
  }
  if (call.old.place == KeptNumber::parameter)
    return;
  for (auto role : {AllocatorParameter::address, AllocatorParameter::out})
    if (auto number = find(allocator, role)) {
      code.localGet(*number);
      if (call.old.is64)
        extend(allocator.is64(*number), code);
      keep(call.old, code);
    }
}

bool HeapInstrumentation::isFiltered(const Allocator &allocator) const {
  return filter_ && (allocator.form->kind != AllocatorKind::reallocates || filter_->hasCells());
}

void HeapInstrumentation::beginReported(const Allocator &allocator,
                                        wasm::CodeSequence &code) const {
  auto pushSize = [&] { pushRequestedSize(allocator, code); };
  if (allocator.form->kind != AllocatorKind::reallocates) {
    bool isSmall = countOf(allocator, AllocatorParameter::size) == 1 &&
                   !allocator.is64(*find(allocator, AllocatorParameter::size));
    filter_->beginReported(pushSize, isSmall, code);
    return;
  }
  uint32_t old = *find(allocator, AllocatorParameter::address);
  filter_->beginReported(pushSize, [&] { code.localGet(old); }, allocator.is64(old), code);
}

// Calls that are not reported keep nothing.
void HeapInstrumentation::beginAllocation(const Allocator &allocator, const KeptCall &call,
                                          wasm::CodeSequence &code) const {
  if (open_)
    code.globalGet(*open_).raw({"i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  memories_.reportFirst(/*isFound=*/true, code);
  tables_.reportFound(code);
  bool isFiltered = this->isFiltered(allocator);
  if (isFiltered)
    beginReported(allocator, code);
  keepArguments(allocator, call, code);
  if (isFiltered)
    code.raw("end"_op);
  enter(call, code);
  if (open_)
    code.raw("end"_op);
}

/// Pushes an f64.
void HeapInstrumentation::pushResultAddress(const Allocator &allocator, const KeptCall &call,
                                            wasm::CodeSequence &code) const {
  const KeptNumber &result = call.result;
  if (!allocator.form->returnsStatus) {
    pushKept(result, code);
    // 0 is no address.
    if (int32_t offset = allocator.form->offset) {
      addOffset(offset, result.is64, code);
      if (result.is64)
        code.i64Const(0);
      else
        code.i32Const(0);
      pushKept(result, code);
      if (result.is64)
        code.i64Const(0).raw("i64.ne"_op);
      code.raw(untypedSelect);
    }
    toFloat(result.is64, code);
    return;
  }
  if (!memories_.hasFirst()) {
    pushZero(code);
    return;
  }
  bool is64 = memories_.isFirst64();
  pushKept(result, code);
  code.raw(result.is64 ? "i64.eqz"_op : "i32.eqz"_op);
  code.raw({"if"_op, uint8_t(wasm::ValueType::f64)});
  pushKept(call.old, code);
  if (!is64 && call.old.is64)
    code.raw("i32.wrap_i64"_op);
  else if (is64)
    extend(call.old.is64, code);
  accessMemory(code, is64 ? "i64.load"_op : "i32.load"_op, /*alignment=*/0, /*memory=*/0,
               /*offset=*/0);
  toFloat(is64, code);
  code.raw("else"_op);
  pushZero(code);
  code.raw("end"_op);
}

// The result is on the stack, and stays there.
void HeapInstrumentation::reportResult(const Allocator &allocator, const KeptCall &call,
                                       wasm::CodeSequence &code) const {
  keep(call.result, code);
  pushKept(call.result, code);
  if (call.isReported)
    code.addedLocalGet(*call.isReported).raw({"if"_op, wasm::emptyBlockType});
  bool reallocates = allocator.form->kind == AllocatorKind::reallocates;
  code.i32Const(operation(reallocates ? reportsReallocation : reportsAllocation));
  pushResultAddress(allocator, call, code);
  pushKept(call.size, code);
  toFloat(call.size.is64, code);
  if (reallocates) {
    pushKept(call.old, code);
    toFloat(call.old.is64, code);
  } else {
    pushZero(code);
  }
  code.call(heap_);
  if (call.isReported)
    code.raw("end"_op);
}

void HeapInstrumentation::enter(const KeptCall &call, wasm::CodeSequence &code) const {
  if (call.isOutermost)
    code.i32Const(1).addedLocalTee(*call.isOutermost).globalSet(*open_);
}

// Behind a trap in what it had called by way of the host, none is open any more.
void HeapInstrumentation::leave(const KeptCall &call, wasm::CodeSequence &code) const {
  code.addedLocalGet(*call.isOutermost).raw({"if"_op, wasm::emptyBlockType});
  code.i32Const(0).globalSet(*open_).raw("end"_op);
}

void HeapInstrumentation::instrumentBody(uint32_t function, bool isInstrumented,
                                         wasm::FunctionEdit &edit) const {
  const Allocator *allocator = allocators_.of(function);
  if (!allocator)
    return;
  bool frees = allocator->form->kind == AllocatorKind::frees;
  KeptCall call = keepCall(function, *allocator, edit);
  if (frees)
    reportFree(*allocator, isInstrumented && !atCalls_.has(function), call, edit.entry);
  else
    beginAllocation(*allocator, call, edit.entry);
  if (call.isOutermost)
    leave(call, edit.exit);
  if (!frees)
    reportResult(*allocator, call, edit.returnExit);
}

// JavaScript grows the memory for Emscripten's allocators.
bool HeapInstrumentation::callsHost(const wasm::Instruction &instruction) const {
  return *instruction.begin == "call"_op && instruction.index < module_->importedFunctionCount();
}

// It does nothing else that is reported.
void HeapInstrumentation::reportFrameAtCalls(uint32_t function,
                                             std::vector<wasm::CodeInsertion> &insertions) const {
  auto begin = [&](int32_t id, wasm::CodeSequence &code) {
    if (stack_ == Stack::kept)
      kept_.begin(id, code);
    else
      code.i32Const(id).call(enterFrame_);
  };
  auto end = [&](int32_t id, wasm::CodeSequence &code) {
    if (stack_ == Stack::kept)
      kept_.end(code);
    else
      code.i32Const(id).call(leaveFrame_);
  };
  atCalls_.insert(*module_, function, begin, end, insertions);
}

void HeapInstrumentation::instrumentCode(uint32_t function,
                                         std::vector<wasm::CodeInsertion> &insertions) const {
  if (atCalls_.has(function)) {
    reportFrameAtCalls(function, insertions);
    return;
  }
  const wasm::ByteRange &body = module_->bodies[function - module_->importedFunctionCount()];
  ByteCursor cursor(body.bytes);
  wasm::skipLocals(cursor);
  Grown grown;
  wasm::Instruction instruction;
  auto report = [&](const Grown &what, bool isFound) {
    if (what.kind == Grown::nothing)
      return;
    wasm::CodeSequence code;
    if (what.kind == Grown::memory)
      memories_.report(what.index, isFound, code);
    else if (what.kind == Grown::byHost)
      memories_.reportFirst(isFound, code);
    else
      tables_.report(what.index, isFound, code);
    insertions.push_back({uint32_t(instruction.begin - body.bytes.begin()), std::move(code)});
  };
  for (wasm::CodeWalker walker(cursor); walker.next(instruction);) {
    Grown grows;
    if (memories_.grows(instruction))
      grows = {Grown::memory, instruction.index};
    else if (tables_.grows(instruction))
      grows = {Grown::table, instruction.index};
    else if (callsHost(instruction))
      grows = {Grown::byHost, 0};
    report(grown, /*isFound=*/false);
    if (grows != grown)
      report(grows, /*isFound=*/true);
    grown = grows;
  }
}

warpo::Registry<Instrumentation>::Add<HeapInstrumentation>
    registration("heap", "what allocators do, and the calls around them");
