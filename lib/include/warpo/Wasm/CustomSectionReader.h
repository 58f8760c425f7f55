//===- CustomSectionReader.h - Custom sections of an unread module --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CUSTOMSECTIONREADER_H
#define WARPO_WASM_CUSTOMSECTIONREADER_H

#include "warpo/Support/ByteCursor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo::wasm {

/// Calls `read` with the name and the contents of each custom section, and fails if `read` makes
/// its cursor fail. Reads nothing else of the module but the headers of its sections.
llvm::Error forEachCustomSection(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef fileName,
                                 llvm::function_ref<void(llvm::StringRef, ByteCursor &)> read);

/// The same for the sections of one name.
llvm::Error readCustomSections(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef fileName,
                               llvm::StringRef name, llvm::function_ref<void(ByteCursor &)> read);

} // namespace warpo::wasm

#endif
