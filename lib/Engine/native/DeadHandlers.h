//===- DeadHandlers.h - Removes handlers that never run -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Instrumented modules handle exceptions, even those of the host, to record the ends of calls. In
// engine native the host does not throw.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_DEADHANDLERS_H
#define WARPO_LIB_ENGINE_NATIVE_DEADHANDLERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// Replaces `try` and `try_table` by plain blocks and their handlers by `nop`, without moving
/// bytes. Does not change a module that throws. `fileName` is for errors.
llvm::Error removeDeadHandlers(llvm::MutableArrayRef<uint8_t> module, llvm::StringRef fileName);

} // namespace warpo

#endif
