//===- SourceSplitter.h - wasm2c's C in parts -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c 1.0.32 writes one file however large the module is. Compilers take time and memory in
// proportion to a file, or worse; parts can be compiled side by side.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_SOURCESPLITTER_H
#define WARPO_LIB_ENGINE_NATIVE_SOURCESPLITTER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpo {

/// The first line behind what every part gets.
inline constexpr llvm::StringLiteral headEnd = "static bool s_module_initialized = false;\n";

/// `static T name(…` to `name`.
llvm::StringRef functionName(llvm::StringRef text);

/// Files that together are `source`: each function in one of them, and all else in the first. There
/// are as many as make parts of about `partSize` bytes, at most 64. A source that is short, or has
/// anything that wasm2c is not known to write, stays in one piece.
std::vector<std::string> splitSource(llvm::StringRef source, size_t partSize);

} // namespace warpo

#endif
