//===- Types.h - The types of WebAssembly as they are encoded -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A type is kept as the bytes that encode it: a rewriter only ever copies types, and bytes hold
// every type of every proposal alike.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_TYPES_H
#define WARPO_WASM_TYPES_H

#include "warpo/Support/ByteCursor.h"
#include <optional>
#include <vector>

namespace warpo::wasm {

/// The value types that instrumentations use by name, as encoded.
enum class ValueType : uint8_t { i32 = 0x7f, i64 = 0x7e, f32 = 0x7d, f64 = 0x7c };

/// The encoded types of a list, without its count.
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
  /// Whether no other type may be declared below it.
  bool isFinal = true;
  /// Whether it is its parameters and results and nothing else: final, below no other type, alone
  /// in its group, not shared. Two such types are the same type.
  bool isPlain = true;
};

/// The types of a module, by index: empty for one that is not a function's.
using TypeTable = std::vector<std::optional<FunctionType>>;

// Each of these moves the cursor behind one thing, or makes it fail.

/// A value type, or a storage type of a field where `packed` is set.
void skipValueType(ByteCursor &cursor, bool packed = false);
/// Whether the value type in front of the cursor is of references that may lead to functions: not
/// of numbers, vectors and external references.
bool leadsToFunctions(ByteCursor cursor);
void skipHeapType(ByteCursor &cursor);
void skipBlockType(ByteCursor &cursor);
/// The limits of a table or a memory, with the flags of all proposals.
void skipLimits(ByteCursor &cursor);
/// The mark of a table that says how its entries begin (`0x40 0x00 type expression`); whether it
/// was there.
bool skipInitialValueMark(ByteCursor &cursor);
void skipTableType(ByteCursor &cursor);
void skipGlobalType(ByteCursor &cursor);
void skipTagType(ByteCursor &cursor);
TypeList readTypeList(ByteCursor &cursor);

/// A count of things that take at least one byte each: fails where so many cannot follow.
uint32_t readCount(ByteCursor &cursor);

/// The contents of a type section. Groups of recursive types are laid out one after another.
TypeTable readTypeSection(ByteCursor &cursor);

} // namespace warpo::wasm

#endif
