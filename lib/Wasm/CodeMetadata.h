//===- CodeMetadata.h - Sections that say something of instructions -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The custom sections `metadata.code.<kind>` (WebAssembly's tool conventions), in the forms that
// CodeHints.h describes. The payload of `call_targets` is (function percentage)*, as LEB128; that
// of other known kinds holds nothing that moves. Priorities may have a count of hints or none. They
// stand before the code, but where the instructions have gone is known after it only; so they are
// written last and inserted.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_WASM_CODEMETADATA_H
#define WARPO_LIB_WASM_CODEMETADATA_H

#include "Additions.h"
#include "Copier.h"
#include "warpo/Wasm/CodeMovements.h"

namespace warpo::wasm {

/// Asks for the movements of all functions that a section of this name has hints for.
void requestHinted(ByteCursor &cursor, llvm::StringRef name, CodeMovements &movements);

/// Writes the contents of a section of this name with new functions and offsets. Fails at bytes
/// behind the last function.
void rewriteCodeMetadata(ByteCursor &cursor, llvm::StringRef name, const Module &module,
                         const IndexMap &indices, const CodeMovements &movements,
                         ByteWriter &writer);

} // namespace warpo::wasm

#endif
