//===- GlueWriter.h - The C between wasm2c's C and the host ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Two files for each module, both in terms of warpo_native.h. The *imports* are seen in front of
// all that wasm2c wrote: the functions that it calls, as static ones, so that the trace point and
// calls between modules are inlined. The *exports* are a file of their own, with the table by which
// the host finds and calls what the module offers.
//
// Names follow the conventions of wasm2c 1.0.32. All that comes from the module is mangled or a
// number: nothing in it can become C.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_GLUEWRITER_H
#define WARPO_LIB_ENGINE_NATIVE_GLUEWRITER_H

#include "NativeUnit.h"

namespace warpo {

/// The module's name for wasm2c: no module imports from one of this name.
inline constexpr llvm::StringLiteral nativeModuleName = "warpo:this";

struct NativeGlue {
  std::string imports, exports;
};

NativeGlue writeGlue(const NativeUnit &unit);

} // namespace warpo

#endif
