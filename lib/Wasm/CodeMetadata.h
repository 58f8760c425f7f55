//===- CodeMetadata.h - Sections of hints for instructions ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The custom sections `metadata.code.<kind>` (WebAssembly's tool conventions), in the forms that
// CodeHints.h describes. The payload of `call_targets` is (function percentage)*, as LEB128;
// payloads of other known kinds have no indices or offsets. Priorities may have a count of hints or
// none. The sections come before the code, but the new offsets of instructions are only known after
// it, so they are written last and inserted.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_WASM_CODEMETADATA_H
#define WARPO_LIB_WASM_CODEMETADATA_H

#include "Additions.h"
#include "Copier.h"
#include "warpo/Wasm/CodeMovements.h"

namespace warpo::wasm {

/// Requests the movements of all functions that have hints in a section of this name.
void requestHinted(ByteCursor &cursor, llvm::StringRef name, CodeMovements &movements);

/// Writes the contents of a section of this name with new functions and offsets. Fails if bytes
/// follow the last function.
void rewriteCodeMetadata(ByteCursor &cursor, llvm::StringRef name, const Module &module,
                         const IndexMap &indices, const CodeMovements &movements,
                         ByteWriter &writer);

} // namespace warpo::wasm

#endif
