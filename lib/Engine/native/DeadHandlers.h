//===- DeadHandlers.h - Handlers of exceptions that nothing throws --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module is instrumented so that calls end where an exception leaves them, of the host too. In
// engine native the host throws none.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_DEADHANDLERS_H
#define WARPO_LIB_ENGINE_NATIVE_DEADHANDLERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// Makes plain blocks of `try` and `try_table`, and of their handlers nothing: bytes stay where
/// they are. Leaves a module that throws as it is. `fileName` is for errors.
llvm::Error removeDeadHandlers(llvm::MutableArrayRef<uint8_t> module, llvm::StringRef fileName);

} // namespace warpo

#endif
