//===- TextFormat.h - Converts modules to and from text -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Uses wabt, or Binaryen if wabt does not support a module's features. Both run in separate
// programs (see Helper.h), so that the tool survives whatever the input does to them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLCHAIN_TEXTFORMAT_H
#define WARPO_TOOLCHAIN_TEXTFORMAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace warpo {

/// Whether an input is a module's text: not a binary module, and its first non-blank character
/// begins a parenthesis or a comment.
bool isModuleText(llvm::StringRef input);

/// Converts `text` to a binary module with names, and validates it. An error has the line and
/// column of wabt's first message.
llvm::Expected<std::string> assembleModule(llvm::StringRef text, llvm::StringRef fileName);

/// Reads a module, binary or text, from a file or, with `-`, from standard input. The result is
/// binary and has the input's name.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readModuleFile(llvm::StringRef path);

/// Converts a binary module to text, with names but without other custom sections.
llvm::Expected<std::string> moduleAsText(llvm::ArrayRef<uint8_t> module, llvm::StringRef fileName);

} // namespace warpo

#endif
