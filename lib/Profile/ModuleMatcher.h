//===- ModuleMatcher.h - Matches modules under different names ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_MODULEMATCHER_H
#define WARPO_LIB_PROFILE_MODULEMATCHER_H

#include "FunctionUnion.h"

namespace warpo {

/// For each module of `after`, the index of the matching one of `before`, each used at most once,
/// or noModule. Modules with equal names match. Linkers name a module after its file, which may
/// differ between builds: modules that only one side has match if each is the only one on its side,
/// or if they share most of their functions, by name or by code.
std::vector<uint32_t> matchModules(const FunctionUnion &before, const FunctionUnion &after);

} // namespace warpo

#endif
