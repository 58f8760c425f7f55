//===- SampledSource.h - wasm2c's C, for a module whose stacks are read ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_SAMPLEDSOURCE_H
#define WARPO_LIB_ENGINE_NATIVE_SAMPLEDSOURCE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// The names of the functions in wasm2c's `source`, of a module with so many of its own, in the
/// module's order; they refer to `source`. An error if the source does not declare as many.
llvm::Expected<std::vector<llvm::StringRef>> functionsOf(llvm::StringRef source, size_t count);

/// wasm2c's `header` of a module whose `source` exports its sample point, a global, by this name:
/// it is read anew each time, since a timer sets it. In a loop that stores nothing, compilers keep
/// it in a register else. An error if the C has no such field.
llvm::Expected<std::string> markSamplePoint(llvm::StringRef header, llvm::StringRef source,
                                            llvm::StringRef name);

} // namespace warpo

#endif
