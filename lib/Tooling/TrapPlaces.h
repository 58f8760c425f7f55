//===- TrapPlaces.h - A trap's stack, with the lines of the source --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TRAPPLACES_H
#define WARPO_LIB_TOOLING_TRAPPLACES_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warpo {

/// The frames of Trap::stack with their places, where a module's section `warpo.places` knows them:
/// `run (wasm-function[3]:0x57), app.c:12`, and in front of it what was inlined there, as
/// `square (inlined), app.c:3`. A frame that may be of several of the modules stays as it is.
std::vector<std::string> locateStack(llvm::ArrayRef<std::string> stack,
                                     llvm::ArrayRef<std::string> modules);

} // namespace warpo

#endif
