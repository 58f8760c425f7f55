//===- OpcodeNames.h - Opcodes, written as their names --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For code that reads or writes single instructions: "i32.add"_op is the opcode of i32.add. The
// names are those of the text format, in the Opcodes*.def files. A name that is not there, or that
// two instructions share, does not compile.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_OPCODENAMES_H
#define WARPO_WASM_OPCODENAMES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpo::wasm {

/// The type of a block without parameters and results.
inline constexpr uint8_t emptyBlockType = 0x40;

namespace detail {

struct OpcodeName {
  uint8_t code;
  std::string_view name;
};

#define WASM_OPCODE(code, name, ...) {code, name},
#define WASM_CONTROL(code, name, role, ...) {code, name},
inline constexpr OpcodeName oneByteNames[] = {
#include "warpo/Wasm/OpcodesMain.def"
};
inline constexpr OpcodeName atomicNames[] = {
#include "warpo/Wasm/OpcodesAtomic.def"
};
#undef WASM_OPCODE
#undef WASM_CONTROL

/// Not constexpr, so evaluating a call of it at compile time is an error.
inline void failForWantOfOneOpcode() {}

template <size_t Count>
consteval uint8_t codeOf(const OpcodeName (&opcodes)[Count], std::string_view name) {
  const OpcodeName *found = nullptr;
  for (const OpcodeName &opcode : opcodes) {
    if (opcode.name != name)
      continue;
    if (found)
      failForWantOfOneOpcode();
    found = &opcode;
  }
  if (!found)
    failForWantOfOneOpcode();
  return found->code;
}

} // namespace detail

inline namespace opcode_names {

consteval uint8_t operator""_op(const char *name, size_t size) {
  return detail::codeOf(detail::oneByteNames, {name, size});
}

/// Atomic instructions, with their prefix.
consteval std::array<uint8_t, 2> operator""_atomic_op(const char *name, size_t size) {
  uint8_t code = detail::codeOf(detail::atomicNames, {name, size});
  // Larger numbers take two bytes.
  if (code >= 0x80)
    detail::failForWantOfOneOpcode();
  return {0xfe, code};
}

} // namespace opcode_names

} // namespace warpo::wasm

#endif
