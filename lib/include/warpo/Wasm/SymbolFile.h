//===- SymbolFile.h - Function names in files beside a module -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// After a module is stripped, its names remain in one of these files:
//
//   a list of symbols  lines `index:name` (SymbolLine.h)
//   a module           the unstripped one, or one with only the name section
//   a source map       whose entries have names; its offsets refer to the module, which is needed
//   as well
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_SYMBOLFILE_H
#define WARPO_WASM_SYMBOLFILE_H

#include "warpo/Wasm/Module.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo::wasm {

/// The contents of such a file. Owns its texts.
struct SymbolFile {
  std::string path;
  /// By function, imported ones first; empty for a function without a name.
  std::vector<std::string> functions;
  /// If the file is a module: its name, the BLAKE3 hash of its bytes and its build id. Empty if
  /// unknown.
  std::string moduleName;
  std::string hash;
  std::string buildId;

  /// Empty for a function without a name.
  llvm::StringRef function(uint32_t index) const {
    return index < functions.size() ? llvm::StringRef(functions[index]) : llvm::StringRef();
  }
};

/// Reads a file of names by itself. For a module without names, uses the source map that it names
/// or that is in the same folder (`app.wasm.map`); a source map is read with the module in the same
/// folder. Fails if there are no names.
llvm::Expected<SymbolFile> readSymbolFile(llvm::StringRef path);

/// The same for a module that has been read; its source map may be anywhere. Fails if the file is
/// known to belong to another module.
llvm::Expected<SymbolFile> readSymbolFile(llvm::StringRef path, const Module &module);

/// Finds names for a module without names: in its companion (section `external_debug_info`, or
/// `app.debug.wasm` in the same folder), otherwise in its source map. No functions if there is
/// neither, or none can be read.
SymbolFile findSymbols(const Module &module, llvm::StringRef moduleFile);

/// Gives a module's functions the names in `symbols`; other functions keep theirs. Writes the new
/// name section to `section`, which like `symbols` must outlive the module.
void replaceNames(Module &module, const SymbolFile &symbols,
                  llvm::SmallVectorImpl<uint8_t> &section);

} // namespace warpo::wasm

#endif
