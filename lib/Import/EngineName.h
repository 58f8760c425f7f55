//===- EngineName.h - Engines' names for functions of WebAssembly ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_IMPORT_ENGINENAME_H
#define WARPO_LIB_IMPORT_ENGINENAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// Extracts name and module from an engine's text for a function:
///
///     wasm-function[12]                    V8, of a function without a name
///     Function:parse-12-turbofan           V8, for perf: the name or the one above, index and tier
///     JS:*wasm-function[12]-12-liftoff     the same in older releases
///     wasm[0]::function[12]                wasmtime, for perf: module and index
///     wasm[0]::function[12]::parse         the same with the name
///
///     func[12]#07c9e02a51f3b684            an instrumented module, with a hash of the code
///
/// A function without a name becomes `func[12]`, as in our tools; other texts stay unchanged.
class EngineName {
public:
  explicit EngineName(llvm::StringRef text);

  const std::string &function() const { return function_; }
  /// 0 if the text has none.
  uint64_t bodyHash() const { return bodyHash_; }
  /// Empty if the text has none.
  llvm::StringRef module() const { return module_; }

private:
  std::string function_;
  llvm::StringRef module_;
  uint64_t bodyHash_ = 0;
};

} // namespace warpo

#endif
