//===- CodeHints.h - Makes sections of compilation hints ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The custom sections of WebAssembly's proposal for compilation hints, which stand before the code:
//
//   contents := count (function hints)*
//   hints    := count (offset size payload)*
//
// Functions and offsets rise. An offset counts from the first byte of the function's local
// declarations, or is 0 for the function as a whole. Numbers are LEB128. The section of priorities
// has one hint a function, and no count of them:
//
//   contents := count (function 0 size payload)*
//
// The proposal's text gives all sections the first form and then, for priorities, the fields of the
// second. V8, which alone acts on them, reads and writes the second and refuses the first ("byte
// offset has to be 0").
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

/// Of functions: a rank, 0 for what is compiled first, and perhaps how far to optimise.
inline constexpr llvm::StringLiteral prioritySection = "metadata.code.compilation_priority";
/// Of calls: how often.
inline constexpr llvm::StringLiteral frequencySection = "metadata.code.instr_freq";
/// Of calls through tables and references: which functions, and how often each.
inline constexpr llvm::StringLiteral callTargetsSection = "metadata.code.call_targets";

/// Payloads by function and offset.
using CodeHints = std::map<uint32_t, std::map<uint32_t, std::string>>;
/// Payloads by function.
using FunctionHints = std::map<uint32_t, std::string>;

/// A number as payloads hold it.
std::string hintNumber(uint64_t value);

/// The contents of a section.
llvm::SmallVector<uint8_t, 0> encodeCodeHints(const CodeHints &hints);
/// The same of the section of priorities.
llvm::SmallVector<uint8_t, 0> encodeFunctionHints(const FunctionHints &hints);

} // namespace warpo::wasm

#endif
