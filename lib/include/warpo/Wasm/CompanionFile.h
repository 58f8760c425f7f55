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

/// The path of the file that the module in `moduleFile` (a path, or `-`) names by `url`, which must
/// be relative and lead to a regular file. Otherwise the error mentions `what` (`its source map`)
/// and the tool's `option` that names a file instead.
llvm::Expected<std::string> findBeside(llvm::StringRef moduleFile, llvm::StringRef url,
                                       llvm::StringRef what, llvm::StringRef option);

/// The regular files in the folder of `moduleFile` (a path, or `-`) that have the name of its debug
/// information: for `app.wasm`, `app.debug.wasm` and `app.wasm.debug.wasm`.
std::vector<std::string> debugFilesBeside(llvm::StringRef moduleFile);

/// Whether the module in `bytes` has code that differs from that of `module`. Does not check
/// anything else of it.
bool hasOtherCode(llvm::ArrayRef<uint8_t> bytes, const Module &module);

} // namespace warpo::wasm

#endif
