//===- TracePoints.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/TracePoints.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/OwnGlobals.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static constexpr ValueType i32Type[] = {ValueType::i32};
static constexpr ValueType i64Type[] = {ValueType::i64};
static constexpr ValueType i32And64[] = {ValueType::i32, ValueType::i64};
static constexpr ValueType i32AndThreeF64[] = {ValueType::i32, ValueType::f64, ValueType::f64,
                                               ValueType::f64};
static constexpr ValueType twoI32[] = {ValueType::i32, ValueType::i32};

ArrayRef<HostCallInfo> wasm::hostCalls() {
  static const HostCallInfo calls[] = {
      {HostCall::tracePoint, "tracePoint", i32Type, {}, true},
      {HostCall::tracePointFuel, "tracePointFuel", i32And64, {}, true},
      {HostCall::outOfFuel, "outOfFuel", i64Type, i64Type, true},
      {HostCall::sample, "sample", i64Type, i64Type, true},
      {HostCall::sampleCaller, "sampleCaller", i64Type, i64Type, true},
      {HostCall::enterFrame, "enterFrame", i32Type, {}, true},
      {HostCall::leaveFrame, "leaveFrame", i32Type, {}, true},
      {HostCall::leaveStack, "leaveStack", {}, i32Type, true},
      {HostCall::leaveStackFuel, "leaveStackFuel", i64Type, i32Type, true},
      {HostCall::enterStack, "enterStack", i32Type, {}, true},
      {HostCall::enterModule, "enterModule", i32Type, {}, true},
      {HostCall::heap, "heap", i32AndThreeF64, {}, true},
      {HostCall::beginSection, "beginSection", twoI32, {}, false},
      {HostCall::endSection, "endSection", {}, {}, false},
  };
  return calls;
}

const HostCallInfo *wasm::findHostCall(StringRef module, StringRef name) {
  if (module != hostModule)
    return nullptr;
  const HostCallInfo *found =
      llvm::find_if(hostCalls(), [&](const HostCallInfo &info) { return info.name == name; });
  return found == hostCalls().end() ? nullptr : found;
}

// Whether an export has the order of first executions.
static bool hasOrder(const Export &entry) {
  return (entry.kind == ExternalKind::memory && entry.name == orderDumpExport) ||
         (entry.kind == ExternalKind::function && entry.name == orderRankExport);
}

bool wasm::keepsOrder(const Module &module) { return any_of(module.exports, hasOrder); }

static bool isStack(const Export &entry) {
  return entry.kind == ExternalKind::memory && entry.name == stackExport;
}

bool wasm::keepsStack(const Module &module) { return any_of(module.exports, isStack); }

EntryPoints::EntryPoints(const Module &module) {
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i) {
    const HostCallInfo *info = findHostCall(module.importOf(i).module, module.importOf(i).name);
    if (info && (info->call == HostCall::tracePoint || info->call == HostCall::tracePointFuel ||
                 info->call == HostCall::enterFrame || info->call == HostCall::sampleCaller))
      functions_.push_back(i);
    hasMarkers_ |= info && info->call == HostCall::heap;
  }
  uint32_t memory = 0;
  for (const Import &import : module.imports) {
    if (import.kind != ExternalKind::memory)
      continue;
    if (import.module == hostModule && import.name == eventsImport)
      events_ = memory;
    ++memory;
  }
  auto stack = find_if(module.exports, isStack);
  if (stack != module.exports.end())
    memory_ = stack->index;
  auto exported = find_if(module.exports, hasOrder);
  if (exported == module.exports.end())
    return;
  if (exported->kind == ExternalKind::memory) {
    memory_ = exported->index;
    return;
  }
  uint32_t index = importedGlobalCount(module);
  for (const OwnGlobal &global : readOwnGlobals(module)) {
    int32_t begin = global.constant.value_or(0);
    if (global.isMutable && begin <= -firstFunctionId && begin != INT32_MIN)
      ranks_.try_emplace(index, -begin);
    ++index;
  }
}

// The memory of a load or a store. Its immediates are an alignment, with a bit for a memory other
// than 0, that memory, and an offset.
static uint32_t memoryOf(const Instruction &instruction) {
  static constexpr uint32_t hasMemory = 0x40;
  ByteCursor immediates({instruction.immediates, instruction.end}, 0);
  return immediates.uleb32() & hasMemory ? immediates.uleb32() : 0;
}

int32_t EntryPoints::firstId(const ByteRange &body, bool atBegin) const {
  return find(body, atBegin).id;
}

bool EntryPoints::hasMarks(const ByteRange &body) const {
  return find(body, /*atBegin=*/false).hasMarks;
}

/// The id that a body begins with as an unused constant, or 0.
static int32_t markerOf(const ByteRange &body) {
  ByteCursor cursor = body.cursor();
  skipLocals(cursor);
  CodeWalker walker(cursor);
  Instruction constant, drop;
  if (!walker.next(constant) || *constant.begin != "i32.const"_op || !walker.next(drop) ||
      *drop.begin != "drop"_op)
    return 0;
  int32_t id = ByteCursor({constant.immediates, constant.end}, 0).sleb32();
  return id >= firstFunctionId ? id : 0;
}

EntryPoints::FirstId EntryPoints::find(const ByteRange &body, bool atBegin) const {
  FirstId first = findReported(body, atBegin);
  if (first.id == 0 && !atBegin && hasMarkers_)
    first.id = markerOf(body);
  return first;
}

EntryPoints::FirstId EntryPoints::findReported(const ByteRange &body, bool atBegin) const {
  ByteCursor cursor = body.cursor();
  skipLocals(cursor);
  CodeWalker walker(cursor);
  int32_t constant = 0;
  // An id with marks is not a constant: marks are added to one.
  int32_t marked = 0;
  auto reported = [&]() -> FirstId {
    // Those of imported functions are part of the constant.
    return constant ? FirstId{withoutMarks(constant), marksOf(constant) != 0}
                    : FirstId{withoutMarks(marked), marked != 0};
  };
  // Whether the last report was that of a trap, which precedes the end of another function: this is
  // no entry.
  bool reportsTrap = false;
  // Whether the code so far checks that recording is on, or where to store the event.
  bool isChecked = false;
  for (Instruction instruction; walker.next(instruction);) {
    switch (*instruction.begin) {
    case "call"_op:
      if (!is_contained(functions_, instruction.index()))
        break;
      if (!reportsTrap && constant != trapId)
        return reported();
      reportsTrap = constant == trapId;
      constant = 0;
      continue;
    case "i32.store"_op:
      if ((constant || marked) && memory_ == memoryOf(instruction))
        return reported();
      break;
    case "i32.const"_op:
      if (atBegin && constant && !marked)
        return {};
      constant = ByteCursor({instruction.immediates, instruction.end}, 0).sleb32();
      continue;
    case "global.get"_op: // the fuel behind the id, or the marks of the id
      if (auto rank = ranks_.find(instruction.index()); rank != ranks_.end())
        return {rank->second};
      continue;
    case "i32.wrap_i64"_op: // the counter `recording`
      isChecked = true;
      continue;
    case "i32.load"_op: // the address of the next event
      if (events_ != memoryOf(instruction))
        break;
      isChecked = true;
      constant = 0;
      continue;
    case "i32.and"_op:
    case "i32.eqz"_op:
    case "i32.ge_u"_op:
    case "if"_op:
      if (!isChecked)
        break;
      constant = 0;
      continue;
    case "i32.or"_op:
      marked = constant;
      constant = 0;
      continue;
    case "local.get"_op: // the variable with the marked id
    case "local.set"_op:
    case "local.tee"_op:
    case "global.set"_op:
      if (!marked && !isChecked)
        break;
      constant = 0;
      continue;
    }
    if (atBegin)
      return {};
    constant = 0;
  }
  return {};
}
