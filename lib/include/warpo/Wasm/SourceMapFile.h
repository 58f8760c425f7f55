//===- SourceMapFile.h - Finds and names a module's source map ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module names its source map in the custom section `sourceMappingURL`: a length and a URL,
// usually a path relative to the module's file.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_SOURCEMAPFILE_H
#define WARPO_WASM_SOURCEMAPFILE_H

#include "warpo/Wasm/SourceMap.h"

namespace warpo {

inline constexpr llvm::StringLiteral sourceMapSection = "sourceMappingURL";

/// The source map named by the module in `moduleFile` (a path, or `-`); nothing if it names none.
/// Follows relative paths to regular files, and `data:` URLs in base64.
llvm::Expected<std::optional<wasm::SourceMap>> loadNamedSourceMap(llvm::ArrayRef<uint8_t> module,
                                                                  llvm::StringRef moduleFile);

llvm::Expected<wasm::SourceMap> loadSourceMap(llvm::StringRef file);

/// The map in the file `given` or, if that is empty, the one named by the module; nothing if it
/// names none. Checks that all entries can be read.
llvm::Expected<std::optional<wasm::SourceMap>>
findSourceMap(llvm::ArrayRef<uint8_t> module, llvm::StringRef moduleFile, llvm::StringRef given);

/// The error for a module without a source map where one is needed.
llvm::Error noSourceMap(llvm::StringRef moduleFile);

/// The URL of a file relative to another one, with special characters escaped; relative to `-`,
/// only the file's name.
std::string relativeUrl(llvm::StringRef file, llvm::StringRef from);

/// Encodes the contents of the section for a URL.
llvm::SmallVector<uint8_t, 0> encodeSourceMapUrl(llvm::StringRef url);

} // namespace warpo

#endif
