//===- EntryFunction.h - Finds the function to call -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_ENTRYFUNCTION_H
#define WARPO_LIB_ENGINE_ENTRYFUNCTION_H

#include "warpo/Engine/ProgramRun.h"

namespace warpo {

struct EntryCall {
  /// Its index among the exported functions.
  size_t function;
  /// The bits of each argument.
  std::vector<uint64_t> arguments;
};

/// The function of RunRequest::invoke, or `_start`, or `main`, with its arguments; nothing if the
/// start function is the whole program. An error lists the existing functions, or names the
/// argument that does not fit.
llvm::Expected<std::optional<EntryCall>> findEntry(const RunRequest &request,
                                                   llvm::ArrayRef<ExportedFunction> functions,
                                                   bool hasStartFunction);

} // namespace warpo

#endif
