//===- UntoldCalls.h - Calls that began while recording was off -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_UNTOLDCALLS_H
#define WARPO_LIB_ENGINE_UNTOLDCALLS_H

#include "warpo/Engine/ProgramUnit.h"
#include "warpo/Sampling/OpenCalls.h"

namespace warpo {

struct UntoldCall {
  const ProgramUnit *unit;
  int32_t id;
};

/// The open calls of instrumented functions behind the last one that has been told, outermost
/// first. The stack and the `told` calls are innermost first. None where that cannot be known: a
/// unit that is recorded has no counter `recording`, counts fuel, keeps a stack of its own or has
/// marks in its ids, or its calls are unwound and made again (Asyncify).
std::vector<UntoldCall> findUntoldCalls(llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units,
                                        llvm::ArrayRef<TrapFrame> stack,
                                        llvm::ArrayRef<OpenCall> told);

} // namespace warpo

#endif
