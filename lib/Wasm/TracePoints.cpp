//===- TracePoints.cpp ----------------------------------------------------===//

#include "warpo/Wasm/TracePoints.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Wasm/CodeWalker.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static constexpr ValueType i32Type[] = {ValueType::i32};
static constexpr ValueType i64Type[] = {ValueType::i64};
static constexpr ValueType i32And64[] = {ValueType::i32, ValueType::i64};
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

EntryPoints::EntryPoints(const Module &module) {
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i) {
    const HostCallInfo *info = findHostCall(module.importOf(i).module, module.importOf(i).name);
    if (info && (info->call == HostCall::tracePoint || info->call == HostCall::tracePointFuel ||
                 info->call == HostCall::enterFrame || info->call == HostCall::sampleCaller))
      functions_.push_back(i);
  }
  for (const Export &exported : module.exports)
    if (exported.kind == ExternalKind::memory && exported.name == orderDumpExport)
      memory_ = exported.index;
}

// For a store; its immediates are an alignment, with a bit for a memory other than 0, that memory,
// and an offset.
bool EntryPoints::storesToMemory(const Instruction &instruction) const {
  static constexpr uint32_t hasMemory = 0x40;
  ByteCursor immediates({instruction.immediates, instruction.end}, 0);
  uint32_t memory = immediates.uleb32() & hasMemory ? immediates.uleb32() : 0;
  return memory_ == memory;
}

int32_t EntryPoints::firstId(const ByteRange &body, bool atBegin) const {
  enum : uint8_t {
    callCode = 0x10,
    localGetCode = 0x20,
    localSetCode = 0x21,
    localTeeCode = 0x22,
    globalGetCode = 0x23,
    globalSetCode = 0x24,
    i32StoreCode = 0x36,
    i32ConstCode = 0x41,
    i32OrCode = 0x72
  };
  ByteCursor cursor = body.cursor();
  skipLocals(cursor);
  CodeWalker walker(cursor);
  int32_t constant = 0;
  // An id with marks is not a constant: they are added to one.
  int32_t marked = 0;
  for (Instruction instruction; walker.next(instruction);) {
    switch (*instruction.begin) {
    case callCode:
      if (is_contained(functions_, instruction.index))
        return withoutMarks(constant ? constant : marked);
      break;
    case i32StoreCode:
      if (constant && storesToMemory(instruction))
        return constant;
      break;
    case i32ConstCode:
      if (atBegin && constant && !marked)
        return 0;
      constant = ByteCursor({instruction.immediates, instruction.end}, 0).sleb32();
      continue;
    case globalGetCode: // the fuel, behind the id, or its marks
      continue;
    case i32OrCode:
      marked = constant;
      constant = 0;
      continue;
    case localGetCode: // what holds the marked id
    case localSetCode:
    case localTeeCode:
    case globalSetCode:
      if (!marked)
        break;
      constant = 0;
      continue;
    }
    if (atBegin)
      return 0;
    constant = 0;
  }
  return 0;
}
