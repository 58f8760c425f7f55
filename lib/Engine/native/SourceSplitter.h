//===- SourceSplitter.h - Splits wasm2c's C into parts --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c 1.0.32 writes a single file, however large the module is. The time and memory of compilers
// grow at least linearly with a file, and parts can be compiled in parallel.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_SOURCESPLITTER_H
#define WARPO_LIB_ENGINE_NATIVE_SOURCESPLITTER_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpo {

/// The first line behind the head.
inline constexpr llvm::StringLiteral headEnd = "static bool s_module_initialized = false;\n";

/// Extracts `name` from `static T name(…`.
llvm::StringRef functionName(llvm::StringRef text);

/// Splits `source` into files of about `partSize` bytes, at most 64: each function is in one of
/// them, everything else in the first. A source that is short or has an unknown form is not split.
std::vector<std::string> splitSource(llvm::StringRef source, size_t partSize);

} // namespace warpo

#endif
