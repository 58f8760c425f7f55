//===- CodeMetadata.h - Sections that say something of instructions -------===//
//
// The custom sections `metadata.code.<kind>` (WebAssembly's tool conventions):
//
//   contents := count (function hints)*
//   hints    := count (offset size payload)*
//
// where an offset counts from the first byte of the function's local declarations, or is 0 for the
// function as a whole. The payload of `call_targets` is (function percentage)*, as LEB128; that of
// other known kinds holds nothing that moves. They stand before the code, but where the
// instructions have gone is known after it only; so they are written last and inserted.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_WASM_CODEMETADATA_H
#define WARPO_LIB_WASM_CODEMETADATA_H

#include "Additions.h"
#include "Copier.h"
#include "warpo/Wasm/CodeMovements.h"

namespace warpo::wasm {

/// Asks for the movements of all functions that a section has hints for.
void requestHinted(ByteCursor &cursor, CodeMovements &movements);

/// Writes the contents of a section with new functions and offsets. `namesFunctions`: the payloads
/// are those of `call_targets`. Fails at bytes behind the last function.
void rewriteCodeMetadata(ByteCursor &cursor, bool namesFunctions, const Module &module,
                         const IndexMap &indices, const CodeMovements &movements,
                         ByteWriter &writer);

} // namespace warpo::wasm

#endif
