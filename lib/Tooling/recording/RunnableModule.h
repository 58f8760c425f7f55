//===- RunnableModule.h - Whether warpo-run can run a module ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_RUNNABLEMODULE_H
#define WARPO_TOOLING_RUNNABLEMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// How a module is run.
struct ModuleRun {
  /// The script of Go's that a module of its compiler needs; empty: warpo-run runs the module.
  std::string goScript;
  /// What to call where the user says nothing and there is neither _start nor main; may be empty.
  std::string invoke;
};

/// An error that says what to do if the module was made for JavaScript that comes with it. A note
/// where neither _start nor main is called (`invoke` is what the user has named, or empty) and
/// other functions are exported. Says nothing of what is no module, or not in binary: who runs it
/// does.
llvm::Expected<ModuleRun> checkRunnable(llvm::StringRef path, llvm::StringRef invoke);

} // namespace warpo

#endif
