//===- Opcode.h - Immediates and roles of opcodes -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The instructions of WebAssembly, each with the kinds of its immediates and its role in control
// flow: everything needed to walk over code. Their list is in the Opcodes*.def files.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_OPCODE_H
#define WARPO_WASM_OPCODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace warpo::wasm {

/// The kinds of immediates. Each index space has its own kind, since a rewriter maps indices
/// differently.
enum class ImmediateKind : uint8_t {
  none,
  // One unsigned 32-bit number: an index, or the depth of a label.
  function,
  type,
  table,
  memory,
  global,
  local,
  tag,
  data,
  element,
  field,
  count,
  label,
  // Constants.
  signed32,
  signed64,
  byte,
  bytes4,
  bytes8,
  bytes16,
  // Several numbers.
  blockType,
  heapType,
  valueTypes, ///< a list of types
  labelTable, ///< a list of labels and the default label
  memArg,     ///< alignment, memory if not the first, memory order or array type if any, offset
  catches,    ///< the clauses of try_table: labels and tags
  handlers,   ///< the clauses of resume: labels and tags
};

/// How an instruction changes the nesting of code, and where execution continues.
enum class OpcodeRole : uint8_t {
  plain,     ///< continues behind itself, unless it traps or throws
  opens,     ///< begins a block, which is closed by `end` or `delegate`
  continues, ///< ends one part of a block and begins the next
  closes,    ///< ends a block, or the whole expression
  returns,   ///< leaves the function
  tailCalls, ///< leaves the function by a call
  branches,  ///< may continue at one of its labels
  leaves,    ///< never continues behind itself, only at its labels, if any
};

struct OpcodeInfo {
  /// As in the text format; null for an unknown opcode.
  const char *name = nullptr;
  /// Up to four ImmediateKinds, the first in the low byte.
  uint32_t immediates = 0;
  OpcodeRole role = OpcodeRole::plain;
  /// Unique, and less than opcodeCount.
  uint16_t number = 0;
};

/// The number of opcodes, including unknown ones.
inline constexpr uint16_t opcodeCount = 0x420;

/// The one-byte opcodes; the entries of prefixes have no name.
extern const std::array<OpcodeInfo, 256> oneByteOpcodes;

/// How to recognise the usual form of an instruction, up to three bytes without control flow: a
/// number has one byte, and an access has only alignment and offset. Most instructions have it, so
/// that they are read by one comparison.
struct ShortForm {
  /// Including the opcode; 0: there is no such form.
  uint8_t size = 0;
  /// Bits of its first four bytes, little-endian, but none of the opcode: at least one is set in
  /// any longer form.
  uint32_t longBits = 0;
};

/// By one-byte opcode.
extern const std::array<ShortForm, 256> shortForms;

/// How to find the end of an instruction of up to eight bytes without control flow, whose last
/// immediate is a number. Nearly all without a ShortForm have it.
struct LongForm {
  /// The highest bits of the bytes that may be the last one, of eight bytes in little-endian order:
  /// it is the first one where that bit is clear. 0: there is no such form.
  uint64_t ends = 0;
  /// None of these bits is set.
  uint64_t unusual = 0;
};

/// By one-byte opcode.
extern const std::array<LongForm, 256> longForms;

/// Whether `byte` begins an opcode of two parts: itself and a LEB128 number.
bool isOpcodePrefix(uint8_t byte);

/// The entry of the opcode `prefix` `code`; its name is null if there is none.
const OpcodeInfo &prefixedOpcode(uint8_t prefix, uint32_t code);

/// The opcodes with a name in the text format, where two may share one; empty if unknown.
llvm::SmallVector<const OpcodeInfo *, 2> opcodesNamed(llvm::StringRef name);

} // namespace warpo::wasm

#endif
