//===- InterpPauses.h - Calls that the interpreter interrupts -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_INTERPPAUSES_H
#define WARPO_LIB_ENGINE_INTERPPAUSES_H

#include "InterpUnit.h"
#include <functional>

namespace warpo::interpreter {

/// The open calls of a thread, outermost first.
using Frames = std::vector<interp::Frame>;

/// Calls a function like Func::Call, and `pause` every few hundred instructions.
wabt::Result callWithPauses(interp::Store &store, interp::Func &function,
                            const interp::Values &arguments, interp::Values &results,
                            interp::Trap::Ptr *trap,
                            const std::function<void(const Frames &)> &pause);

/// The open calls of the thread that calls a host function.
const Frames &framesOf(const interp::Thread &thread);
/// The calls that a trap has ended.
const Frames &framesOf(const interp::Trap &trap);

} // namespace warpo::interpreter

#endif
