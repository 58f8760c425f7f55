//===- SymbolFile.h - Names of a module's functions, from beside it -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Who strips a module leaves its names in one of these files:
//
//   a list of symbols  lines `index:name` (SymbolLine.h)
//   a module           as it was before it was stripped, or one that has the name section alone
//   a source map       whose entries have names; it speaks of offsets, and so needs the module
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_SYMBOLFILE_H
#define WARPO_WASM_SYMBOLFILE_H

#include "warpo/Wasm/Module.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo::wasm {

/// What such a file says. Owns its texts.
struct SymbolFile {
  std::string path;
  /// By function, imported ones first; empty for one without a name.
  std::vector<std::string> functions;
  /// Of a module: its name, the BLAKE3 hash of its bytes and the bytes of its build id. Empty where
  /// unknown.
  std::string moduleName;
  std::string hash;
  std::string buildId;

  /// Empty for a function without a name.
  llvm::StringRef function(uint32_t index) const {
    return index < functions.size() ? llvm::StringRef(functions[index]) : llvm::StringRef();
  }
};

/// Reads a file of names by itself. That of a module which has none is asked for them in the source
/// map that it names, or that lies beside it (`app.wasm.map`); a source map is read with the module
/// that lies beside it. Fails if there are no names.
llvm::Expected<SymbolFile> readSymbolFile(llvm::StringRef path);

/// The same for a module that is at hand; its source map may be anywhere. Fails if the file is of
/// another module, as far as it says so.
llvm::Expected<SymbolFile> readSymbolFile(llvm::StringRef path, const Module &module);

/// What a module of no names says of the file that has them: the names in its companion (section
/// `external_debug_info`, or `app.debug.wasm` beside it), else in its source map; no functions if
/// it has neither, or none can be read.
SymbolFile findSymbols(const Module &module, llvm::StringRef moduleFile);

/// Gives a module's functions these names, and keeps those of functions that `symbols` does not
/// know. The name section is then in `section`, which like `symbols` must outlive the module.
void replaceNames(Module &module, const SymbolFile &symbols,
                  llvm::SmallVectorImpl<uint8_t> &section);

} // namespace warpo::wasm

#endif
