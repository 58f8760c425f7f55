//===- InterpPauses.h - Calls that the interpreter interrupts -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_INTERPPAUSES_H
#define WARPO_LIB_ENGINE_INTERPPAUSES_H

#include "InterpUnit.h"
#include <functional>

namespace warpo::interpreter {

/// The open calls of a thread, outermost first.
using Frames = std::vector<interp::Frame>;

/// Calls a function as Func::Call does, and `pause` after each few hundred instructions.
wabt::Result callWithPauses(interp::Store &store, interp::Func &function,
                            const interp::Values &arguments, interp::Values &results,
                            interp::Trap::Ptr *trap,
                            const std::function<void(const Frames &)> &pause);

/// Of the thread that a host function is called by.
const Frames &framesOf(const interp::Thread &thread);
/// Those that a trap has ended.
const Frames &framesOf(const interp::Trap &trap);

} // namespace warpo::interpreter

#endif
