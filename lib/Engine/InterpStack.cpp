//===- InterpStack.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter runs its own code, which it generates from the instructions of each function in
// their order. An instruction that may call or trap is one instruction in both codes, so that
// counting these finds it.
//
//===----------------------------------------------------------------------===//

#include "InterpStack.h"
#include "warpo/Wasm/CodeWalker.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace warpo;
using namespace warpo::interpreter;
using wabt::Opcode;

namespace {

/// The opcode by which an instruction is counted in both codes; nothing for control flow and for
/// instructions that only move values, as these differ.
std::optional<Opcode::Enum> commonOpcode(Opcode opcode) {
  switch (opcode) {
  case Opcode::Call:
  case Opcode::InterpCallImport:
  case Opcode::ReturnCall:
    return Opcode::Call;
  case Opcode::Unreachable:
  case Opcode::CallIndirect:
  case Opcode::ReturnCallIndirect:
  case Opcode::Throw:
  case Opcode::Rethrow:
  case Opcode::I32DivS:
  case Opcode::I32DivU:
  case Opcode::I32RemS:
  case Opcode::I32RemU:
  case Opcode::I64DivS:
  case Opcode::I64DivU:
  case Opcode::I64RemS:
  case Opcode::I64RemU:
  case Opcode::I32TruncF32S:
  case Opcode::I32TruncF32U:
  case Opcode::I32TruncF64S:
  case Opcode::I32TruncF64U:
  case Opcode::I64TruncF32S:
  case Opcode::I64TruncF32U:
  case Opcode::I64TruncF64S:
  case Opcode::I64TruncF64U:
  case Opcode::MemoryInit:
  case Opcode::MemoryCopy:
  case Opcode::MemoryFill:
  case Opcode::TableInit:
  case Opcode::TableCopy:
  case Opcode::TableFill:
  case Opcode::TableGet:
  case Opcode::TableSet:
    return opcode;
  default:
    // Loads and stores.
    return opcode.GetMemorySize() != 0 ? std::optional<Opcode::Enum>(opcode) : std::nullopt;
  }
}

Opcode opcodeOf(const wasm::Instruction &instruction) {
  uint8_t first = *instruction.begin;
  if (!Opcode::IsPrefixByte(first))
    return Opcode::FromCode(first);
  ByteCursor code(llvm::ArrayRef(instruction.begin + 1, instruction.immediates), 0);
  return Opcode::FromCode(first, code.uleb32());
}

/// The offset in the module's file of the instruction before `next` in the interpreter's code;
/// nothing if the codes do not agree.
std::optional<uint64_t> offsetIn(const wasm::ByteRange &body, const interp::Istream &code,
                                 uint32_t begin, uint32_t next) {
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  wasm::Instruction instruction;
  std::optional<uint64_t> offset;
  for (interp::Istream::Offset at = begin; at < next;) {
    offset.reset();
    auto opcode = commonOpcode(code.Read(&at).op);
    if (!opcode)
      continue;
    std::optional<Opcode::Enum> original;
    while (!original && walker.next(instruction))
      original = commonOpcode(opcodeOf(instruction));
    if (original != opcode)
      return std::nullopt;
    offset = body.offset + uint64_t(instruction.begin - body.bytes.data());
  }
  return offset;
}

/// Nothing if it is a call of the host.
std::optional<TrapFrame> describe(const interp::Frame &call,
                                  llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units) {
  for (const auto &each : units) {
    const auto &unit = static_cast<const Unit &>(*each);
    if (!call.mod || unit.code.get() != call.mod)
      continue;
    auto function = llvm::find(call.inst->funcs(), call.func);
    size_t index = size_t(function - call.inst->funcs().begin());
    size_t body = index - unit.module.importedFunctionCount();
    if (body >= unit.module.bodies.size())
      return std::nullopt;
    TrapFrame frame;
    frame.unit = unit.place;
    frame.function = uint32_t(index);
    const interp::ModuleDesc &code = call.mod->desc();
    frame.offset =
        offsetIn(unit.module.bodies[body], code.istream, code.funcs[body].code_offset, call.offset);
    return frame;
  }
  return std::nullopt;
}

} // namespace

std::vector<TrapFrame> interpreter::stackOf(const Frames &frames,
                                            llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units) {
  std::vector<TrapFrame> stack;
  // A recursion has many calls at the same offset.
  std::map<std::pair<const interp::Module *, uint32_t>, std::optional<TrapFrame>> known;
  for (const interp::Frame &call : llvm::reverse(frames)) {
    auto [found, isNew] = known.try_emplace({call.mod, call.offset});
    if (isNew)
      found->second = describe(call, units);
    if (found->second)
      stack.push_back(*found->second);
  }
  return stack;
}
