//===- Errors.h - How libraries say what went wrong -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Error texts are lower-case sentences without a period, preceded by the place: `trace.bin:0x40:
// …`. Only toolMain adds the tool's name and the word `error`.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_ERRORS_H
#define WARPO_SUPPORT_ERRORS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <system_error>

namespace warpo {

llvm::Error makeError(const llvm::Twine &message);

/// `<file>: <message>`
llvm::Error fileError(llvm::StringRef file, const llvm::Twine &message);

/// `<file>: <the operating system's message>`
llvm::Error fileError(llvm::StringRef file, std::error_code code);

/// `<file>:0x<offset>`, a place in binary input.
std::string placeInFile(llvm::StringRef file, uint64_t offset);

/// `<file>:0x<offset>: <message>`
llvm::Error offsetError(llvm::StringRef file, uint64_t offset, const llvm::Twine &message);

/// `<file>:<line>: <message>`, for text input. Lines count from 1.
llvm::Error lineError(llvm::StringRef file, uint64_t line, const llvm::Twine &message);

/// `1 record`, `3 records`, `2 entries`: a count with its noun.
std::string countOf(uint64_t count, llvm::StringRef singular, llvm::StringRef plural = "");

} // namespace warpo

#endif
