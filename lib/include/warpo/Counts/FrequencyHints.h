//===- FrequencyHints.h - How often calls are executed, for compilers -----===//
// SPDX-License-Identifier: Apache-2.0
//
// The sections of WebAssembly's proposal for compilation hints that counts can fill, with a record
// besides to say where calls through tables go: CodeHints.h. `warpo-order --format=hints` makes
// them of records alone, which do not know which of two calls of a function was made.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_FREQUENCYHINTS_H
#define WARPO_COUNTS_FREQUENCYHINTS_H

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Wasm/CodeHints.h"

namespace warpo {

struct FrequencyHints {
  /// Of all calls in functions that were executed, tail calls too. Of another function that calls
  /// anything, that its first call is rare.
  wasm::CodeHints frequencies;
  /// Of calls through tables and references for whose type the module refers to one function, and
  /// of others whose targets are traced.
  wasm::CodeHints targets;
};

/// `traced` may be empty. Errors have the place in the module.
llvm::Expected<FrequencyHints> findFrequencyHints(const ModuleCounts &counts,
                                                  const TracedCalls &traced);

} // namespace warpo

#endif
