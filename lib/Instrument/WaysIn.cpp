//===- WaysIn.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "WaysIn.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/ReferencedFunctions.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

Expected<BitVector> warpo::findWaysIn(const wasm::Module &module, const BitVector &leftOut) {
  auto waysIn = wasm::referencedFunctions(module);
  if (!waysIn)
    return waysIn.takeError();
  auto called = wasm::calledFunctions(module, leftOut);
  if (!called)
    return called.takeError();
  *waysIn |= *called;
  if (std::optional<uint32_t> start = wasm::startFunction(module); start && *start < waysIn->size())
    waysIn->set(*start);
  return waysIn;
}

bool warpo::makesTailCalls(const wasm::Module &module) {
  for (const wasm::ByteRange &body : module.bodies) {
    ByteCursor cursor = body.cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);)
      if (*instruction.begin == "return_call"_op ||
          *instruction.begin == "return_call_indirect"_op ||
          *instruction.begin == "return_call_ref"_op)
        return true;
  }
  return false;
}
