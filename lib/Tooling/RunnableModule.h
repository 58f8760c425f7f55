//===- RunnableModule.h - Whether warpo-run can run a module ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_RUNNABLEMODULE_H
#define WARPO_TOOLING_RUNNABLEMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// An error that says what to do if the module was made for JavaScript that comes with it. A note
/// where its start function alone would run (`invoke` is empty) and it exports others. Says nothing
/// of what is no module, or not in binary: who runs it does.
llvm::Error checkRunnable(llvm::StringRef path, llvm::StringRef invoke);

} // namespace warpo

#endif
