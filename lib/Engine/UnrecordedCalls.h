//===- UnrecordedCalls.h - Calls that began while recording was off -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_UNRECORDEDCALLS_H
#define WARPO_LIB_ENGINE_UNRECORDEDCALLS_H

#include "warpo/Engine/ProgramUnit.h"
#include "warpo/Sampling/OpenCalls.h"

namespace warpo {

struct UnrecordedCall {
  const ProgramUnit *unit;
  int32_t id;
};

/// The open calls of instrumented functions within the last one that has been recorded, outermost
/// first. The stack and the `recorded` calls are innermost first. Empty if that is unknown: a unit
/// that is recorded has no counter `recording`, counts fuel, keeps a stack of its own or has marks
/// in its ids, or its calls are unwound and made again (Asyncify).
std::vector<UnrecordedCall> findUnrecordedCalls(llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units,
                                                llvm::ArrayRef<TrapFrame> stack,
                                                llvm::ArrayRef<OpenCall> recorded);

/// How many of the calls on a stack have been recorded, its outermost ones; both are outermost
/// first. Calls that a trap or an exception left open are recorded but no longer on the stack, and
/// a stack that was cut has lost its outermost calls.
size_t countRecorded(llvm::ArrayRef<OpenCall> stack, llvm::ArrayRef<OpenCall> recorded);

} // namespace warpo

#endif
