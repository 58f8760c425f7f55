//===- ModuleMatcher.h - Finds modules again under other names ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_MODULEMATCHER_H
#define WARPO_LIB_PROFILE_MODULEMATCHER_H

#include "FunctionUnion.h"

namespace warpo {

/// For each module of `after` the index of the one of `before` that is the same, noModule if there
/// is none; each of those at most once. Modules of the same name are the same. Linkers name a
/// module after its file, which differs from build to build: of modules that one side alone has,
/// two are the same if each is its side's only one, or if they share most of their functions, by
/// name or by code.
std::vector<uint32_t> matchModules(const FunctionUnion &before, const FunctionUnion &after);

} // namespace warpo

#endif
