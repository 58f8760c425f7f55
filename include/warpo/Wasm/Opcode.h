//===- Opcode.h - What the bytes after an opcode mean ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The instructions of WebAssembly, each with the kinds of its immediates and what it does to the
// nesting of code: all that walking over code takes. Their list is in the Opcodes*.def files.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_OPCODE_H
#define WARPO_WASM_OPCODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace warpo::wasm {

/// What an immediate is. Indices of each space have a kind of their own, since a rewriter moves
/// them apart.
enum class ImmediateKind : uint8_t {
  none,
  // One unsigned number of 32 bits: an index, or how many labels out.
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
  // Parts of several numbers.
  blockType,
  heapType,
  valueTypes, ///< a list of types
  labelTable, ///< a list of labels and one more
  memArg,     ///< alignment, memory if not the first, order or array type if any, offset
  catches,    ///< the clauses of try_table: labels and tags
  handlers,   ///< the clauses of resume: labels and tags
};

/// What an instruction does to the nesting of code, and where it goes on.
enum class OpcodeRole : uint8_t {
  plain,     ///< goes on behind itself, unless it traps or throws
  opens,     ///< begins a block, which is closed by `end` or `delegate`
  continues, ///< ends one part of a block and begins the next
  closes,    ///< ends a block, or the whole expression
  returns,   ///< leaves the function
  tailCalls, ///< leaves the function by a call
  branches,  ///< may go on at one of its labels
  leaves,    ///< never goes on behind itself; its labels, if any, say where
};

struct OpcodeInfo {
  /// As in the text format; null for an opcode that is unknown.
  const char *name = nullptr;
  /// Up to four ImmediateKinds, the first in the low byte.
  uint32_t immediates = 0;
  OpcodeRole role = OpcodeRole::plain;
  /// Below opcodeCount, and no other opcode's.
  uint16_t number = 0;
};

/// How many numbers of opcodes there are, unknown ones counted.
inline constexpr uint16_t opcodeCount = 0x420;

/// The one-byte opcodes; prefixes have no name here.
extern const std::array<OpcodeInfo, 256> oneByteOpcodes;

/// Whether `byte` announces an opcode of two parts: itself and a LEB128 number.
bool isOpcodePrefix(uint8_t byte);

/// The entry of the opcode `prefix` `code`; its name is null if there is none.
const OpcodeInfo &prefixedOpcode(uint8_t prefix, uint32_t code);

/// The opcodes of a name of the text format, in which two may share one; empty if it is unknown.
llvm::SmallVector<const OpcodeInfo *, 2> opcodesNamed(llvm::StringRef name);

} // namespace warpo::wasm

#endif
