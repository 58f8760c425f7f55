//===- OpcodeClass.h - What kind of work an instruction does --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_OPCODECLASS_H
#define WARPO_WASM_OPCODECLASS_H

#include "warpo/Wasm/Opcode.h"

namespace warpo::wasm {

/// For people: `load`, `integer arithmetic`, `call`, … Every known opcode has one.
llvm::StringRef classOf(const OpcodeInfo &opcode);

/// Whether an instruction allocates a structure or an array, whose type is its first immediate.
bool allocates(const OpcodeInfo &opcode);

} // namespace warpo::wasm

#endif
