//===- Binaryen.h - What Binaryen's library does with a module ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The library that is installed, whatever its version; it runs in a program of its own (see
// Helper.h). Where warpo was built without it each of these fails and says so. Error texts begin
// with the file: `in.wasm: Binaryen 108 cannot read this module: …`.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLCHAIN_BINARYEN_H
#define WARPO_TOOLCHAIN_BINARYEN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// How much to optimise for speed (0 to 4) and for size (0 to 2), as wasm-opt counts.
struct OptimizationLevel {
  unsigned speed = 2;
  unsigned size = 0;

  /// What stands behind -O: `0` to `4`, `s`, `z`; nothing means `s`.
  static llvm::Expected<OptimizationLevel> parse(llvm::StringRef text);
};

/// The optimised module, with its names. Custom sections stay; those that speak of code (source
/// maps, hints, debug information) must not be there, since they would not follow.
llvm::Expected<std::string> optimizeModule(llvm::ArrayRef<uint8_t> module, llvm::StringRef fileName,
                                           const OptimizationLevel &level);

/// Whether Binaryen finds the module valid: `none` if so, else what it says first.
llvm::Expected<std::optional<std::string>> findInvalid(llvm::ArrayRef<uint8_t> module,
                                                       llvm::StringRef fileName);

} // namespace warpo

#endif
