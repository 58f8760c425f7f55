//===- SymbolLine.h - A line of a list of symbols -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SYMBOLLINE_H
#define WARPO_SUPPORT_SYMBOLLINE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace warpo {

/// A function's index in the linked module, and its name.
struct SymbolLine {
  uint32_t index;
  std::string name;
};

/// Parses `index:name`, as written by `emcc --emit-symbol-map`: `\xx` in the name, with two
/// hexadecimal digits, is one byte. Nothing for any other line.
std::optional<SymbolLine> parseSymbolLine(llvm::StringRef line);

} // namespace warpo

#endif
