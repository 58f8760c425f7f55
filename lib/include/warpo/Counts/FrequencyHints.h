//===- FrequencyHints.h - How often calls are executed, for compilers -----===//
// SPDX-License-Identifier: Apache-2.0
//
// The sections of WebAssembly's proposal for compilation hints that counts can fill, together with
// a record that says where calls through tables go: CodeHints.h. `warpo-order --format=hints` makes
// them of records alone, which do not know which of two calls of a function was made.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_FREQUENCYHINTS_H
#define WARPO_COUNTS_FREQUENCYHINTS_H

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Wasm/CodeHints.h"

namespace warpo {

struct FrequencyHints {
  /// For all calls, tail calls too, in functions that were executed. In other functions that make
  /// calls, the first call is marked as rare.
  wasm::CodeHints frequencies;
  /// For calls through tables and references, if the module refers to one function of the type, or
  /// if the targets were traced.
  wasm::CodeHints targets;
};

/// `traced` may be empty. Errors have the place in the module.
llvm::Expected<FrequencyHints> findFrequencyHints(const ModuleCounts &counts,
                                                  const TracedCalls &traced);

} // namespace warpo

#endif
