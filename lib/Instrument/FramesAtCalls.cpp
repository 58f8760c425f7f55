//===- FramesAtCalls.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FramesAtCalls.h"
#include "HeapCallers.h"
#include "WaysIn.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// A function with more calls that often report would probably make several of them each time it
/// runs.
static constexpr unsigned mostCalls = 4;

namespace {

/// What a function's code says about its calls.
struct CodeOfCalls {
  /// Calls that may often report.
  unsigned calls = 0;
  /// Whether such a call is made unconditionally or in a loop, any call is not a direct one to a
  /// function of the module, or the function grows something.
  bool isUnfit = false;
  bool catches = false;
};

} // namespace

static bool branches(uint8_t opcode) {
  return opcode == "if"_op || opcode == "br_if"_op || opcode == "br_table"_op;
}

static CodeOfCalls readCode(const wasm::Module &module, const wasm::ByteRange &body,
                            const BitVector &often) {
  CodeOfCalls result;
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  bool hasBranched = false;
  // The depth of the outermost open loop.
  bool isInLoop = false;
  uint32_t loop = 0;
  for (wasm::Instruction instruction; walker.next(instruction);) {
    uint8_t opcode = *instruction.begin;
    isInLoop = isInLoop && instruction.depth > loop;
    hasBranched |= branches(opcode);
    if (opcode == "loop"_op && !isInLoop) {
      isInLoop = true;
      loop = instruction.depth;
    } else if (opcode == "try"_op || opcode == "try_table"_op) {
      result.catches = true;
    } else if (growsOrCallsAny(instruction)) {
      result.isUnfit = true;
    } else if (opcode == "call"_op) {
      bool isOwn = instruction.index() >= module.importedFunctionCount();
      bool isOften = instruction.index() < often.size() && often.test(instruction.index());
      result.calls += isOften;
      result.isUnfit |= !isOwn || (isOften && (isInLoop || !hasBranched));
    }
  }
  return result;
}

Error FramesAtCalls::find(const ModuleFacts &facts, const BitVector &callers,
                          BitVector allocators) {
  const wasm::Module &module = *facts.original;
  if (facts.reportsTraps || facts.marksCalls || facts.willBeOptimized || makesTailCalls(module))
    return Error::success();
  auto waysIn = findWaysIn(module, facts.leftOut);
  if (!waysIn)
    return waysIn.takeError();
  callers_ = callers;
  auto often = findHeapCallers(module, std::move(allocators), /*byGrowth=*/false);
  if (!often)
    return often.takeError();
  std::vector<int32_t> ids(module.functionCount());
  int32_t id = facts.firstId;
  for (uint32_t i = 0; i != module.functionCount(); ++i) {
    if (facts.leftOut.test(i))
      continue;
    int32_t own = id++;
    if (i < module.importedFunctionCount())
      continue;
    CodeOfCalls code = readCode(module, module.bodies[i - module.importedFunctionCount()], *often);
    if (code.catches)
      return Error::success();
    if (callers.test(i) && code.calls <= mostCalls && !code.isUnfit && !waysIn->test(i))
      ids[i] = own;
  }
  ids_ = std::move(ids);
  growing_ = callers_;
  growing_.reset(*often);
  // They report nothing before their own frame.
  growing_.reset(facts.leftOut);
  if (growing_.anyCommon(*waysIn))
    growing_.reset();
  return Error::success();
}

bool FramesAtCalls::endsLate(uint32_t function, const wasm::Instruction &instruction) const {
  return *instruction.begin == "call"_op && comesBehindLate(instruction.index()) &&
         !comesBehindLate(function);
}

void FramesAtCalls::insert(const wasm::Module &module, uint32_t function, Report before,
                           Report behind, wasm::CodeInsertions &insertions) const {
  const wasm::ByteRange &body = module.bodies[function - module.importedFunctionCount()];
  ByteCursor cursor(body.bytes);
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);) {
    if (*instruction.begin != "call"_op || !callers_.test(instruction.index()))
      continue;
    bool mayBeLate = comesBehindLate(instruction.index());
    auto add = [&](const uint8_t *at, Report report) {
      report(ids_[function], mayBeLate, insertions.at(uint32_t(at - body.bytes.begin())));
    };
    add(instruction.begin, before);
    add(instruction.end, behind);
  }
}
