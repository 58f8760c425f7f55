//===- Types.h - Types of WebAssembly, as encoded -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A type is kept as the bytes that encode it: a rewriter only copies types, and bytes can represent
// every type of every proposal.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_TYPES_H
#define WARPO_WASM_TYPES_H

#include "warpo/Support/ByteCursor.h"
#include <optional>
#include <vector>

namespace warpo::wasm {

/// The value types that instrumentations use.
enum class ValueType : uint8_t { i32 = 0x7f, i64 = 0x7e, f32 = 0x7d, f64 = 0x7c };

/// A list of types; `bytes` does not include the count.
struct TypeList {
  llvm::ArrayRef<uint8_t> bytes;
  uint32_t count = 0;

  bool operator==(const TypeList &other) const {
    return count == other.count && bytes == other.bytes;
  }
};

struct FunctionType {
  TypeList params;
  TypeList results;
  /// Whether it cannot have subtypes.
  bool isFinal = true;
  /// Whether only its parameters and results define it: it is final, has no supertype, is alone in
  /// its group, and is not shared. Two such types with equal lists are the same type.
  bool isPlain = true;
};

/// The types of a module, by index; nothing for a type that is not a function type.
using TypeTable = std::vector<std::optional<FunctionType>>;

// Each of these moves the cursor behind one item, or makes it fail.

/// A value type or, if `packed`, also a packed type of a field.
void skipValueType(ByteCursor &cursor, bool packed = false);
/// Whether the value type at the cursor has references that may lead to functions: true unless it
/// has numbers, vectors or external references. Does not move the caller's cursor.
bool leadsToFunctions(ByteCursor cursor);
void skipHeapType(ByteCursor &cursor);
void skipBlockType(ByteCursor &cursor);
/// The limits of a table or a memory, with the flags of all proposals.
void skipLimits(ByteCursor &cursor);
/// The mark of a table with an initial value (`0x40 0x00 type expression`). Returns whether it was
/// there.
bool skipInitialValueMark(ByteCursor &cursor);
void skipTableType(ByteCursor &cursor);
void skipGlobalType(ByteCursor &cursor);
void skipTagType(ByteCursor &cursor);
TypeList readTypeList(ByteCursor &cursor);

/// A count of items of at least one byte each: fails if fewer bytes follow.
uint32_t readCount(ByteCursor &cursor);

/// The contents of a type section. The types of recursive groups follow one another.
TypeTable readTypeSection(ByteCursor &cursor);

} // namespace warpo::wasm

#endif
