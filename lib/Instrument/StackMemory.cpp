//===- StackMemory.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The memory has a word for each open call, outermost first: its id, with the highest bit set once
// it was reported. A store over a word clears the bit, so the reported ones are always the
// outermost. A second array has the reported ids, for reporting ends.
//
// Positions continue after a trap that leaves calls open, and wrap in the memory; nothing traps
// there.
//
//===----------------------------------------------------------------------===//

#include "StackMemory.h"
#include "MemoryAccess.h"
#include "WaysIn.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// More calls than fit on engines' stacks.
static constexpr int32_t mostCalls = 1 << 19;
static constexpr int32_t callSize = 4;
static constexpr int32_t stackSize = mostCalls * callSize;
static constexpr int32_t addressMask = stackSize - callSize;
/// The position at which to start again.
static constexpr int32_t mostDepth = 1 << 30;
static constexpr int32_t isReported = INT32_MIN;

Error StackMemory::declare(ModuleDeclarations &declarations, StringRef otherOption) {
  const wasm::Module &module = *declarations.module().original;
  for (const wasm::Import &import : module.imports)
    if (wasm::findHostCall(import.module, import.name))
      return fileError(module.fileName,
                       "it imports " + import.module + "." + import.name +
                           ", which would be reported before the calls around it: use " +
                           otherOption);
  auto waysIn = findWaysIn(module, declarations.module().leftOut);
  if (!waysIn)
    return waysIn.takeError();
  waysIn_ = std::move(*waysIn);
  makesTailCalls_ = makesTailCalls(module);
  auto memory = declarations.addMemory(wasm::stackExport, 2 * uint64_t(stackSize), {});
  if (!memory)
    return memory.takeError();
  memory_ = *memory;
  enterFrame_ = declarations.importHostCall(wasm::HostCall::enterFrame);
  leaveFrame_ = declarations.importHostCall(wasm::HostCall::leaveFrame);
  depth_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  reported_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  addReport(declarations);
  addReportAround(declarations);
  addUnwind(declarations);
  return Error::success();
}

void StackMemory::access(wasm::CodeSequence &code, uint8_t opcode, uint32_t offset) const {
  accessMemory(code, opcode, /*alignment=*/2, memory_, offset);
}

void StackMemory::pushAddress(wasm::GlobalRef position, wasm::CodeSequence &code) const {
  code.globalGet(position).i32Const(addressMask).raw("i32.and"_op);
}

static void beginLoop(wasm::CodeSequence &code) {
  code.raw({"block"_op, wasm::emptyBlockType, "loop"_op, wasm::emptyBlockType});
}
static void leaveLoopIf(wasm::CodeSequence &code, uint8_t comparison) {
  code.raw({comparison, "br_if"_op, 1});
}
static void endLoop(wasm::CodeSequence &code) { code.raw({"br"_op, 0, "end"_op, "end"_op}); }

void StackMemory::addReport(ModuleDeclarations &declarations) {
  wasm::CodeSequence code;
  // Calls beyond the memory's size are forgotten.
  code.globalGet(depth_).i32Const(mostDepth).raw({"i32.gt_s"_op, "if"_op, wasm::emptyBlockType});
  code.i32Const(0).globalSet(depth_).i32Const(0).globalSet(reported_);
  code.i32Const(0).raw({"local.set"_op, 0, "end"_op});
  code.globalGet(depth_).globalGet(reported_).raw("i32.sub"_op).i32Const(stackSize);
  code.raw({"i32.gt_s"_op, "if"_op, wasm::emptyBlockType});
  code.globalGet(depth_).i32Const(stackSize).raw("i32.sub"_op).globalSet(reported_).raw("end"_op);

  // Find the innermost open call that was reported.
  beginLoop(code);
  code.localGet(0).i32Const(0);
  leaveLoopIf(code, "i32.le_s"_op);
  code.localGet(0).i32Const(callSize).raw("i32.sub"_op).i32Const(addressMask).raw("i32.and"_op);
  access(code, "i32.load"_op, 0);
  code.i32Const(0);
  leaveLoopIf(code, "i32.lt_s"_op);
  code.localGet(0).i32Const(callSize).raw({"i32.sub"_op, "local.set"_op, 0});
  endLoop(code);

  // Reported calls beyond it have ended. The end of the outermost also ends those within it. Report
  // only that one: calls ended by a trap may be gone from the host's stack already, and an end
  // could be taken for that of another call of the function.
  auto pushOutermost = [&] {
    code.localGet(0).i32Const(addressMask).raw("i32.and"_op);
    access(code, "i32.load"_op, stackSize);
  };
  beginLoop(code);
  code.globalGet(reported_).localGet(0);
  leaveLoopIf(code, "i32.le_s"_op);
  code.globalGet(reported_).i32Const(callSize).raw("i32.sub"_op).globalSet(reported_);
  pushAddress(reported_, code);
  access(code, "i32.load"_op, stackSize);
  pushOutermost();
  code.raw({"i32.eq"_op, "if"_op, wasm::emptyBlockType});
  pushOutermost();
  code.call(leaveFrame_).raw("end"_op);
  endLoop(code);
  reportEnds_ =
      declarations.addFunction("builtin.leaveFrame (stack)", {wasm::ValueType::i32}, {}, code);

  code.clear();
  code.localGet(0).call(reportEnds_);
  beginLoop(code);
  code.globalGet(reported_).globalGet(depth_);
  leaveLoopIf(code, "i32.ge_s"_op);
  pushAddress(reported_, code);
  pushAddress(reported_, code);
  access(code, "i32.load"_op, 0);
  code.i32Const(~isReported).raw("i32.and"_op);
  access(code, "i32.store"_op, stackSize);
  pushAddress(reported_, code);
  pushAddress(reported_, code);
  access(code, "i32.load"_op, stackSize);
  code.i32Const(isReported).raw("i32.or"_op);
  access(code, "i32.store"_op, 0);
  pushAddress(reported_, code);
  access(code, "i32.load"_op, stackSize);
  code.call(enterFrame_);
  code.globalGet(reported_).i32Const(callSize).raw("i32.add"_op).globalSet(reported_);
  endLoop(code);
  report_ =
      declarations.addFunction("builtin.enterFrame (stack)", {wasm::ValueType::i32}, {}, code);
}

// Meanwhile the host may call the module to read a guest's stack; those calls are not reported.
wasm::FunctionRef StackMemory::addSample(ModuleDeclarations &declarations,
                                         wasm::FunctionRef sample) const {
  wasm::CodeSequence code;
  report(code);
  code.globalGet(depth_);
  code.localGet(0).call(sample).raw({"local.set"_op, 0});
  code.globalSet(depth_).globalGet(depth_).globalSet(reported_).localGet(0);
  return declarations.addFunction("builtin.sample (stack)", {wasm::ValueType::i64},
                                  {wasm::ValueType::i64}, code);
}

void StackMemory::addReportAround(ModuleDeclarations &declarations) {
  wasm::CodeSequence code;
  code.globalGet(depth_).globalGet(depth_);
  code.localGet(0).i32Const(0).raw("i32.ne"_op).i32Const(callSize).raw("i32.mul"_op);
  code.raw("i32.sub"_op).globalSet(depth_);
  report(code);
  code.globalSet(depth_);
  reportAround_ =
      declarations.addFunction("builtin.enterFrame (around)", {wasm::ValueType::i32}, {}, code);
}

void StackMemory::addUnwind(ModuleDeclarations &declarations) {
  wasm::CodeSequence code;
  beginLoop(code);
  code.localGet(1).globalGet(depth_);
  leaveLoopIf(code, "i32.ge_u"_op);
  code.localGet(1).i32Const(addressMask).raw("i32.and"_op);
  access(code, "i32.load"_op, 0);
  code.i32Const(~isReported).raw("i32.and"_op).localGet(0);
  code.raw({"i32.eq"_op, "if"_op, wasm::emptyBlockType});
  code.globalGet(depth_).call(reportEnds_).localGet(1).globalSet(depth_);
  // Report one end, as if each had been reported: calls that the host no longer knows stay
  // unchanged.
  code.globalGet(reported_).globalGet(depth_).raw({"i32.gt_s"_op, "if"_op, wasm::emptyBlockType});
  code.globalGet(depth_).globalSet(reported_);
  code.localGet(2).i32Const(0).raw({"i32.gt_s"_op, "if"_op, wasm::emptyBlockType});
  code.i32Const(trapId).call(enterFrame_).raw("end"_op);
  code.i32Const(trapId).call(enterFrame_).localGet(0).call(leaveFrame_).raw("end"_op);
  code.raw({"return"_op, "end"_op});
  code.localGet(1).localGet(2).raw({"i32.add"_op, "local.set"_op, 1});
  endLoop(code);
  constexpr wasm::ValueType i32 = wasm::ValueType::i32;
  unwind_ = declarations.addFunction("builtin.leaveFrame (trap)", {i32, i32, i32}, {}, code);
}

void StackMemory::instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const {
  uint8_t position = edit.addedLocals++;
  edit.entry.globalGet(depth_).addedLocalTee(position).i32Const(addressMask).raw("i32.and"_op);
  site.pushCallId(edit.entry);
  access(edit.entry, "i32.store"_op, 0);
  edit.entry.addedLocalGet(position).i32Const(callSize).raw("i32.add"_op).globalSet(depth_);
  if (site.isImported)
    report(edit.entry);

  edit.exit.addedLocalGet(position).globalSet(depth_);
  if (!returnsToHost(site))
    return;
  edit.exit.globalGet(reported_).addedLocalGet(position);
  edit.exit.raw({"i32.gt_s"_op, "if"_op, wasm::emptyBlockType});
  edit.exit.addedLocalGet(position).call(report_).raw("end"_op);
}

void StackMemory::begin(int32_t id, wasm::CodeSequence &code) const {
  pushAddress(depth_, code);
  code.i32Const(id);
  access(code, "i32.store"_op, 0);
  code.globalGet(depth_).i32Const(callSize).raw("i32.add"_op).globalSet(depth_);
}

void StackMemory::end(wasm::CodeSequence &code) const {
  code.globalGet(depth_).i32Const(callSize).raw("i32.sub"_op).globalSet(depth_);
}

void StackMemory::reportTrapped(wasm::CodeSequence &code, bool isOutermost) const {
  code.localGet(0);
  if (isOutermost)
    code.i32Const(0).i32Const(callSize);
  else
    code.globalGet(depth_).i32Const(callSize).raw("i32.sub"_op).i32Const(-callSize);
  code.call(unwind_);
}
