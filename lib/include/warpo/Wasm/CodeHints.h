//===- CodeHints.h - Sections of compilation hints ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The custom sections of WebAssembly's compilation hints proposal, which precede the code:
//
//   contents := count (function hints)*
//   hints    := count (offset size payload)*
//
// Functions and offsets are ascending. An offset counts from the first byte of the function's local
// declarations, or is 0 for the function as a whole. Numbers are LEB128. The section of priorities
// has one hint per function, without a count:
//
//   contents := count (function 0 size payload)*
//
// The proposal's text defines the first form for all sections, but then lists the fields of the
// second for priorities. V8, the only engine that uses them, reads and writes the second and
// rejects the first ("byte offset has to be 0").
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_CODEHINTS_H
#define WARPO_WASM_CODEHINTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <string>

namespace warpo::wasm {

/// Hints for functions: a rank, 0 being compiled first, and optionally an optimisation level.
inline constexpr llvm::StringLiteral prioritySection = "metadata.code.compilation_priority";
/// Hints for calls: how often they are executed.
inline constexpr llvm::StringLiteral frequencySection = "metadata.code.instr_freq";
/// Hints for calls through tables and references: the callees, and how often each is called.
inline constexpr llvm::StringLiteral callTargetsSection = "metadata.code.call_targets";

/// Payloads by function and offset.
using CodeHints = std::map<uint32_t, std::map<uint32_t, std::string>>;
/// Payloads by function.
using FunctionHints = std::map<uint32_t, std::string>;

/// Encodes a number for a payload.
std::string hintNumber(uint64_t value);

/// Encodes the contents of a section.
llvm::SmallVector<uint8_t, 0> encodeCodeHints(const CodeHints &hints);
/// The same for the section of priorities.
llvm::SmallVector<uint8_t, 0> encodeFunctionHints(const FunctionHints &hints);

} // namespace warpo::wasm

#endif
