//===- TextFormat.h - Modules as text, by wabt or Binaryen ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wabt is asked first, and Binaryen where wabt does not know what a module uses. Both run as
// programs of their own (see Helper.h), so whatever the input does to them, the tool goes on.
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

/// Whether an input is a module's text: not a binary module, and its first character that is not
/// blank opens a bracket or a comment.
bool isModuleText(llvm::StringRef input);

/// The binary module that `text` stands for, with its names, checked for validity. An error has the
/// line and column of wabt's first complaint.
llvm::Expected<std::string> assembleModule(llvm::StringRef text, llvm::StringRef fileName);

/// The binary module in a file, or standard input as `-`, that holds it as it is or as text; called
/// as the input is.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readModuleFile(llvm::StringRef path);

/// The text of a binary module. It shows names, but no other custom section.
llvm::Expected<std::string> moduleAsText(llvm::ArrayRef<uint8_t> module, llvm::StringRef fileName);

} // namespace warpo

#endif
