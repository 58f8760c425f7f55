//===- CallInstructions.h - Instructions that call any function -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_CALLINSTRUCTIONS_H
#define WARPO_LIB_INSTRUMENT_CALLINSTRUCTIONS_H

#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/OpcodeNames.h"

namespace warpo {

/// Whether an instruction may call any function, also one of the host.
inline bool callsAny(const wasm::Instruction &instruction) {
  using namespace wasm::opcode_names;
  switch (*instruction.begin) {
  case "call_indirect"_op:
  case "return_call_indirect"_op:
  case "call_ref"_op:
  case "return_call_ref"_op:
  case "resume"_op:
  case "resume_throw"_op:
  case "resume_throw_ref"_op:
  case "suspend"_op:
  case "switch"_op:
    return true;
  default:
    return false;
  }
}

} // namespace warpo

#endif
