//===- GlueWriter.h - C between wasm2c's output and the host --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Two files for each module, which use warpo_native.h. The *imports* are included before wasm2c's
// output: they are the functions that it calls, as static functions, so that trace points and calls
// between modules are inlined. The *exports* are a separate file with the table by which the host
// finds and calls the exports of the module.
//
// Names follow the conventions of wasm2c 1.0.32. Everything from the module is a number or mangled,
// so that it cannot inject C code.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_GLUEWRITER_H
#define WARPO_LIB_ENGINE_NATIVE_GLUEWRITER_H

#include "NativeUnit.h"

namespace warpo {

/// The module's name for wasm2c, from which no module imports.
inline constexpr llvm::StringLiteral nativeModuleName = "warpo:this";

struct NativeGlue {
  std::string imports, exports;
};

NativeGlue writeGlue(const NativeUnit &unit);

} // namespace warpo

#endif
