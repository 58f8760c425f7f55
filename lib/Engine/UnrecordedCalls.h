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

/// The open calls of instrumented functions within the last recorded one, outermost first. `stack`
/// and `recorded` are innermost first. Empty if these calls cannot be known: if a recorded unit has
/// no counter `recording`, counts fuel, reports its own frames, has marks in its ids, or unwinds
/// and rewinds its stack (Asyncify).
std::vector<UnrecordedCall> findUnrecordedCalls(llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units,
                                                llvm::ArrayRef<TrapFrame> stack,
                                                llvm::ArrayRef<OpenCall> recorded);

/// How many of the outermost calls on a stack have been recorded; both are outermost first.
/// Recorded calls that a trap or an exception left open are no longer on the stack, and a truncated
/// stack has lost its outermost calls.
size_t countRecorded(llvm::ArrayRef<OpenCall> stack, llvm::ArrayRef<OpenCall> recorded);

} // namespace warpo

#endif
