//===- SourceMapFile.h - Where a module's source map is, and will be ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module names its source map in the custom section `sourceMappingURL`: a length and a URL, most
// often a path relative to the module's file.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_SOURCEMAPFILE_H
#define WARPO_WASM_SOURCEMAPFILE_H

#include "warpo/Wasm/SourceMap.h"

namespace warpo {

inline constexpr llvm::StringLiteral sourceMapSection = "sourceMappingURL";

/// The source map that the module in `moduleFile` (a path, or `-`) names; nothing if it names none.
/// Follows relative paths to regular files, and `data:` with base 64.
llvm::Expected<std::optional<wasm::SourceMap>> loadNamedSourceMap(llvm::ArrayRef<uint8_t> module,
                                                                  llvm::StringRef moduleFile);

llvm::Expected<wasm::SourceMap> loadSourceMap(llvm::StringRef file);

/// The map in the file `given` or, if that is empty, the one that the module names; nothing if it
/// names none. All its entries can be read.
llvm::Expected<std::optional<wasm::SourceMap>>
findSourceMap(llvm::ArrayRef<uint8_t> module, llvm::StringRef moduleFile, llvm::StringRef given);

/// What to say where a map is needed and the module names none.
llvm::Error noSourceMap(llvm::StringRef moduleFile);

/// The URL of one file as seen from another: a relative path, its special characters escaped. From
/// `-` it is the name alone.
std::string relativeUrl(llvm::StringRef file, llvm::StringRef from);

/// The contents of the section for a URL.
llvm::SmallVector<uint8_t, 0> encodeSourceMapUrl(llvm::StringRef url);

} // namespace warpo

#endif
