//===- DwarfAsker.h - Reads DWARF with the program warpo-dwarf ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_DWARFASKER_H
#define WARPO_LIB_SOURCE_DWARFASKER_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Wasm/Module.h"

namespace warpo {

/// Whether a file has DWARF sections with source locations.
bool hasDwarf(llvm::ArrayRef<wasm::Section> sections);

/// The source locations of a module from the DWARF in these sections, its own or those of another
/// file.
llvm::Expected<ModulePlaces> askDwarf(const wasm::Module &module,
                                      llvm::ArrayRef<wasm::Section> sections, llvm::StringRef file);

/// The offset in the file of the code section's contents; 0 without code.
uint64_t codeOffset(const wasm::Module &module);

} // namespace warpo

#endif
