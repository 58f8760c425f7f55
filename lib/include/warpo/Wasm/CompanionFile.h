//===- CompanionFile.h - The files that a module names ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_COMPANIONFILE_H
#define WARPO_WASM_COMPANIONFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo::wasm {

/// The path of the file that the module in `moduleFile` (a path, or `-`) names by a URL: a relative
/// one, to a regular file. The error for another one says what is there (`its source map`), and
/// which option of the tool names a file.
llvm::Expected<std::string> findBeside(llvm::StringRef moduleFile, llvm::StringRef url,
                                       llvm::StringRef what, llvm::StringRef option);

} // namespace warpo::wasm

#endif
