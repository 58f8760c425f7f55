//===- CompanionFile.h - The files beside a module ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_COMPANIONFILE_H
#define WARPO_WASM_COMPANIONFILE_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo::wasm {

/// The path of the file that the module in `moduleFile` (a path, or `-`) names by a URL: a relative
/// one, to a regular file. The error for another one says what is there (`its source map`), and
/// which option of the tool names a file.
llvm::Expected<std::string> findBeside(llvm::StringRef moduleFile, llvm::StringRef url,
                                       llvm::StringRef what, llvm::StringRef option);

/// The regular files beside the module in `moduleFile` (a path, or `-`) that are called like its
/// debug information: of `app.wasm`, `app.debug.wasm` and `app.wasm.debug.wasm`.
std::vector<std::string> debugFilesBeside(llvm::StringRef moduleFile);

/// Whether the module in `bytes`, of which nothing else is looked at, has code, and that is not the
/// other one's.
bool hasOtherCode(llvm::ArrayRef<uint8_t> bytes, const Module &module);

} // namespace warpo::wasm

#endif
