//===- InterpStack.h - Stacks in wabt's interpreter -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_INTERPSTACK_H
#define WARPO_LIB_ENGINE_INTERPSTACK_H

#include "InterpPauses.h"

namespace warpo::interpreter {

/// The calls of functions of units, innermost first.
std::vector<TrapFrame> stackOf(const Frames &frames,
                               llvm::ArrayRef<std::unique_ptr<ProgramUnit>> units);

} // namespace warpo::interpreter

#endif
