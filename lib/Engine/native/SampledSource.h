//===- SampledSource.h - wasm2c's C, for a module that is sampled ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_SAMPLEDSOURCE_H
#define WARPO_LIB_ENGINE_NATIVE_SAMPLEDSOURCE_H

#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// wasm2c's `source` of a module with so many functions of its own: each is a
/// WARPO_NATIVE_FUNCTION, and the array `warpo_native_functions` has all of them in the module's
/// order. An error if the source does not declare as many.
llvm::Expected<std::string> markFunctions(llvm::StringRef source, size_t count);

} // namespace warpo

#endif
