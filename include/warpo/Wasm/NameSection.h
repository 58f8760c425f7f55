//===- NameSection.h - The custom section `name` --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   section    := subsection*
//   subsection := id:u8 size:u32 contents
//     0 module       name
//     1 functions    count (function name)*
//     2 locals       count (function count (local name)*)*
//     3 labels       count (function count (label name)*)*
//     other kinds    have no functions
//
// Each kind occurs at most once, in ascending order. Numbers are LEB128; a name is its length and
// its bytes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_NAMESECTION_H
#define WARPO_WASM_NAMESECTION_H

#include "warpo/Support/ByteCursor.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace warpo::wasm {

enum class NameKind : uint8_t { module, functions, locals, labels };

struct Names {
  /// Empty if the module has no name.
  llvm::StringRef module;
  /// By function, including imported ones; empty for a function without a name. Ends with the last
  /// function that has a name.
  std::vector<llvm::StringRef> functions;

  llvm::StringRef function(uint32_t index) const {
    return index < functions.size() ? functions[index] : llvm::StringRef();
  }
};

/// Reads the section of a module of `functionCount` functions. Checks everything that a rewriter
/// has to change: the names of functions, and the functions of locals and labels.
Names readNameSection(ByteCursor &cursor, uint32_t functionCount);

} // namespace warpo::wasm

#endif
