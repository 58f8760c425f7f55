//===- CallSites.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CallSites.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

Expected<std::vector<CallSite>> warpo::callSitesOf(const wasm::Module &module, uint32_t function) {
  const wasm::ByteRange &body = module.bodies[function - module.importedFunctionCount()];
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  std::vector<CallSite> sites;
  for (wasm::Instruction instruction; walker.next(instruction);) {
    auto offset = uint32_t(instruction.begin - body.bytes.data());
    uint8_t opcode = *instruction.begin;
    if (opcode == "call"_op)
      sites.push_back({offset, instruction.index()});
    else if (opcode == "call_indirect"_op || opcode == "call_ref"_op)
      sites.push_back({offset, std::nullopt, instruction.index()});
  }
  if (Error error = cursor.takeError(module.fileName))
    return error;
  return sites;
}

Expected<std::optional<CallSite>> warpo::entryOfCaller(const wasm::Module &module,
                                                       uint32_t function) {
  const wasm::ByteRange &body = module.bodies[function - module.importedFunctionCount()];
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  std::optional<CallSite> entry;
  wasm::CodeWalker walker(cursor);
  bool calls = false;
  for (wasm::Instruction instruction; walker.next(instruction);) {
    uint8_t opcode = *instruction.begin;
    bool isDirect = opcode == "call"_op || opcode == "return_call"_op;
    calls |= isDirect || opcode == "call_indirect"_op || opcode == "call_ref"_op ||
             instruction.info->role == wasm::OpcodeRole::tailCalls;
    if (!entry)
      entry = {uint32_t(instruction.begin - body.bytes.data()),
               isDirect ? std::optional(instruction.index()) : std::nullopt};
  }
  if (Error error = cursor.takeError(module.fileName))
    return error;
  return calls ? entry : std::nullopt;
}
