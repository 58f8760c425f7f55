//===- SampledSource.h - wasm2c's C, if stacks are read -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_SAMPLEDSOURCE_H
#define WARPO_LIB_ENGINE_NATIVE_SAMPLEDSOURCE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// The names of the functions in wasm2c's `source`, in the module's order; they refer to `source`.
/// Fails unless the source declares `count` functions.
llvm::Expected<std::vector<llvm::StringRef>> functionsOf(llvm::StringRef source, size_t count);

/// Returns wasm2c's `header` with a volatile field for the sample point, the global that `source`
/// exports as `name`: a timer sets it, and in a loop without stores compilers would keep it in a
/// register. Fails if there is no such field.
llvm::Expected<std::string> markSamplePoint(llvm::StringRef header, llvm::StringRef source,
                                            llvm::StringRef name);

} // namespace warpo

#endif
