//===- CallSites.cpp ------------------------------------------------------===//

#include "CallSites.h"
#include "warpo/Wasm/CodeWalker.h"

using namespace llvm;
using namespace warpo;

static constexpr uint8_t callOpcode = 0x10;
static constexpr uint8_t callIndirectOpcode = 0x11;
static constexpr uint8_t callRefOpcode = 0x14;

Expected<std::vector<CallSite>> warpo::callSitesOf(const wasm::Module &module, uint32_t function) {
  const wasm::ByteRange &body = module.bodies[function - module.importedFunctionCount()];
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  std::vector<CallSite> sites;
  for (wasm::Instruction instruction; walker.next(instruction);) {
    auto offset = uint32_t(instruction.begin - body.bytes.data());
    uint8_t opcode = *instruction.begin;
    if (opcode == callOpcode)
      sites.push_back({offset, instruction.index});
    else if (opcode == callIndirectOpcode || opcode == callRefOpcode)
      sites.push_back({offset, std::nullopt, instruction.index});
  }
  if (Error error = cursor.takeError(module.fileName))
    return error;
  return sites;
}
