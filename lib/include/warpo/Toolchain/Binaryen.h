//===- Binaryen.h - Functions of Binaryen's library -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Uses the installed library, of any version, in a separate program (see Helper.h). If warpo was
// built without it, each function fails with an error that says so. Errors begin with the file:
// `in.wasm: Binaryen 108 cannot read this module: …`.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLCHAIN_BINARYEN_H
#define WARPO_TOOLCHAIN_BINARYEN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// Levels of optimisation for speed (0 to 4) and for size (0 to 2), as in wasm-opt.
struct OptimizationLevel {
  unsigned speed = 2;
  unsigned size = 0;

  /// Parses the text after -O: `0` to `4`, `s` or `z`; empty means `s`.
  static llvm::Expected<OptimizationLevel> parse(llvm::StringRef text);
};

/// Returns the optimised module, including names. Keeps custom sections; there must be none that
/// refer to code (source maps, hints, debug information), as they would not be updated.
llvm::Expected<std::string> optimizeModule(llvm::ArrayRef<uint8_t> module, llvm::StringRef fileName,
                                           const OptimizationLevel &level);

/// Validates the module: nothing if it is valid, otherwise Binaryen's first message.
llvm::Expected<std::optional<std::string>> findInvalid(llvm::ArrayRef<uint8_t> module,
                                                       llvm::StringRef fileName);

} // namespace warpo

#endif
