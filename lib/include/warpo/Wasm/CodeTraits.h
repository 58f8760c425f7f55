//===- CodeTraits.h - Properties of code that editing depends on ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODETRAITS_H
#define WARPO_WASM_CODETRAITS_H

#include "warpo/Wasm/OpcodeNames.h"
#include <array>
#include <cstdint>

namespace warpo::wasm {

/// Bits: those of a body are those of its instructions.
namespace code_traits {
enum : uint8_t {
  ofLegacyForm = 1,
  ofExnrefForm = 2,
  mayThrow = 4,
  callsReferenced = 8,
  usesReferences = 16,
  usesContinuations = 32,
  callsAtEnd = 64,
};
} // namespace code_traits

/// By the first byte of an opcode.
inline constexpr std::array<uint8_t, 256> instructionTraits = [] {
  using namespace code_traits;
  std::array<uint8_t, 256> traits{};
  for (uint8_t code : {"try"_op, "catch"_op, "rethrow"_op, "delegate"_op, "catch_all"_op})
    traits[code] = ofLegacyForm;
  for (uint8_t code : {"throw_ref"_op, "try_table"_op})
    traits[code] = ofExnrefForm;
  for (uint8_t code :
       {"throw"_op, "rethrow"_op, "throw_ref"_op, "call"_op, "call_indirect"_op, "call_ref"_op})
    traits[code] |= mayThrow;
  for (uint8_t code = "cont.new"_op; code <= "switch"_op;
       ++code) // continuations: exceptions leave them here
    traits[code] |= mayThrow | usesContinuations;
  for (uint8_t code :
       {"call_indirect"_op, "return_call_indirect"_op, "call_ref"_op, "return_call_ref"_op})
    traits[code] |= callsReferenced;
  for (uint8_t code : {"call_ref"_op, "return_call_ref"_op, "ref.func"_op})
    traits[code] |= usesReferences;
  for (uint8_t code : {"return_call"_op, "return_call_indirect"_op, "return_call_ref"_op})
    traits[code] |= callsAtEnd;
  return traits;
}();

} // namespace warpo::wasm

#endif
