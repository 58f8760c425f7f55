//===- AllocatorCode.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "AllocatorCode.h"
#include "HeapCallers.h"
#include "MemoryAccess.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// One of two instructions of this name.
static constexpr uint8_t untypedSelect = 0x1b;

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

Error AllocatorCode::declare(ModuleDeclarations &declarations, const Allocators &allocators,
                             wasm::FunctionRef import, wasm::FunctionRef heap, bool mayLeaveOut) {
  module_ = declarations.module().original;
  heap_ = heap;
  if (mayLeaveOut && !allocators.empty())
    if (Error error = filter_.emplace().declare(declarations, import, memories_.isFirstShared()))
      return error;
  auto nesting = findNestingAllocators(*module_, allocators.functions(module_->functionCount()));
  if (!nesting)
    return nesting.takeError();
  nesting_ = std::move(*nesting);
  for (uint32_t function = 0; function != nesting_.size(); ++function)
    if (nesting_.test(function) && allocators.of(function)->form->collects)
      nesting_.reset(function);
  if (nesting_.any())
    open_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  size_ = declarations.addGlobal(wasm::ValueType::i64, true, 0);
  old_ = declarations.addGlobal(wasm::ValueType::i64, true, 0);
  result_ = declarations.addGlobal(wasm::ValueType::i64, true, 0);
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
        instruction.index() == parameter)
      return true;
  return false;
}

static uint32_t countOf(const Allocator &allocator, AllocatorParameter::Role role) {
  return uint32_t(llvm::count(allocator.form->parameters, AllocatorParameter{role}));
}

// A size that is a product is kept in a global.
KeptNumber AllocatorCode::keepParameter(uint32_t function, const Allocator &allocator,
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

KeptCall AllocatorCode::keepCall(uint32_t function, const Allocator &allocator,
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

void AllocatorCode::pushOperation(HeapCall call, const AllocatorFrames &frames,
                                  wasm::CodeSequence &code) const {
  // What allocates has ended its own frame.
  bool isInnermost = frames.isReported && call == reportsFree;
  code.i32Const(call | (memories_.isFirstShared() ? MemorySizes::sharedFlag : 0) |
                (isInnermost ? innermostIsAllocator : 0));
  if (frames.caller)
    code.globalGet(*frames.caller).raw("i32.or"_op);
}

/// Pushes what allocations and frees have in place of an old address.
static void pushPending(const AllocatorFrames &frames, wasm::CodeSequence &code) {
  if (!frames.pending) {
    pushZero(code);
    return;
  }
  code.globalGet(*frames.pending);
  toFloat(/*is64=*/false, code);
}

// Of an address other than 0, in the outermost allocator. That it is not 0 is looked at last where
// most are left out.
void AllocatorCode::reportFree(const Allocator &allocator, const AllocatorFrames &frames,
                               const KeptCall &call, wasm::CodeSequence &code) const {
  uint32_t address = *find(allocator, AllocatorParameter::address);
  bool is64 = allocator.is64(address);
  auto pushAddress = [&] {
    code.localGet(address);
    addOffset(allocator.form->offset, is64, code);
  };
  if (open_)
    code.globalGet(*open_).raw({"i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  bool isFiltered = filter_ && filter_->coversFrees();
  if (isFiltered) {
    filter_->pushIsReported(pushAddress, is64, code);
    code.raw({"if"_op, wasm::emptyBlockType});
  }
  code.localGet(address).raw(is64 ? "i64.eqz"_op : "i32.eqz"_op);
  code.raw({"i32.eqz"_op, "if"_op, wasm::emptyBlockType});
  pushOperation(reportsFree, frames, code);
  pushAddress();
  toFloat(is64, code);
  pushZero(code);
  pushPending(frames, code);
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

void AllocatorCode::keepArguments(const Allocator &allocator, const KeptCall &call,
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

bool AllocatorCode::isFiltered(const Allocator &allocator) const {
  return filter_ && (allocator.form->kind != AllocatorKind::reallocates || filter_->coversFrees());
}

void AllocatorCode::beginReported(const Allocator &allocator, wasm::CodeSequence &code) const {
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
void AllocatorCode::beginAllocation(const Allocator &allocator, const KeptCall &call,
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
void AllocatorCode::pushResultAddress(const Allocator &allocator, const KeptCall &call,
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
void AllocatorCode::reportResult(const Allocator &allocator, const AllocatorFrames &frames,
                                 const KeptCall &call, wasm::CodeSequence &code) const {
  keep(call.result, code);
  pushKept(call.result, code);
  if (call.isReported)
    code.addedLocalGet(*call.isReported).raw({"if"_op, wasm::emptyBlockType});
  bool reallocates = allocator.form->kind == AllocatorKind::reallocates;
  pushOperation(reallocates ? reportsReallocation : reportsAllocation, frames, code);
  pushResultAddress(allocator, call, code);
  pushKept(call.size, code);
  toFloat(call.size.is64, code);
  if (reallocates) {
    pushKept(call.old, code);
    toFloat(call.old.is64, code);
    code.call(frames.pending ? frames.heapBehindPending : heap_);
  } else {
    pushPending(frames, code);
    code.call(heap_);
  }
  if (call.isReported)
    code.raw("end"_op);
}

void AllocatorCode::enter(const KeptCall &call, wasm::CodeSequence &code) const {
  if (call.isOutermost)
    code.i32Const(1).addedLocalTee(*call.isOutermost).globalSet(*open_);
}

// Behind a trap in what it had called by way of the host, none is open any more.
void AllocatorCode::leave(const KeptCall &call, wasm::CodeSequence &code) const {
  code.addedLocalGet(*call.isOutermost).raw({"if"_op, wasm::emptyBlockType});
  code.i32Const(0).globalSet(*open_).raw("end"_op);
}

void AllocatorCode::instrument(uint32_t function, const Allocator &allocator,
                               const AllocatorFrames &frames, wasm::FunctionEdit &edit) const {
  bool frees = allocator.form->kind == AllocatorKind::frees;
  KeptCall call = keepCall(function, allocator, edit);
  if (frees)
    reportFree(allocator, frames, call, edit.entry);
  else
    beginAllocation(allocator, call, edit.entry);
  if (call.isOutermost)
    leave(call, edit.exit);
  if (!frees)
    reportResult(allocator, frames, call, edit.returnExit);
}
