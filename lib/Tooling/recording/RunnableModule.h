//===- RunnableModule.h - Checks whether warpo-run can run a module -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_RUNNABLEMODULE_H
#define WARPO_TOOLING_RUNNABLEMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// How to run a module.
struct ModuleRun {
  /// Go's script for modules of its compiler; empty: warpo-run runs the module.
  std::string goScript;
  /// The function to call if the user names none and there is neither _start nor main; may be
  /// empty.
  std::string invoke;
};

/// Fails with an advice if the module was made for accompanying JavaScript, or if it has nothing to
/// run but several exports (`invoke` is the function named by the user, or empty). Prints a note if
/// something other than _start or main is run. Accepts files that are no binary modules: running
/// them will report that.
llvm::Expected<ModuleRun> checkRunnable(llvm::StringRef path, llvm::StringRef invoke);

} // namespace warpo

#endif
