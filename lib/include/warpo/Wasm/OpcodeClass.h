//===- OpcodeClass.h - Kinds of instructions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_OPCODECLASS_H
#define WARPO_WASM_OPCODECLASS_H

#include "warpo/Wasm/Opcode.h"

namespace warpo::wasm {

/// `load`, `integer arithmetic`, `call`, … for display. Every known opcode has one.
llvm::StringRef classOf(const OpcodeInfo &opcode);

/// Whether an instruction allocates a structure or an array; its first immediate is the type.
bool allocates(const OpcodeInfo &opcode);

} // namespace warpo::wasm

#endif
