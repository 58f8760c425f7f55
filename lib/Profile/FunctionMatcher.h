//===- FunctionMatcher.h - Finds functions again under other names --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_FUNCTIONMATCHER_H
#define WARPO_LIB_PROFILE_FUNCTIONMATCHER_H

#include "FunctionUnion.h"
#include "warpo/Profile/ProfileDiff.h"
#include "llvm/ADT/DenseSet.h"

namespace warpo {

/// The functions of one side and who called whom.
struct DiffSide {
  FunctionUnion functions{FunctionUnion::UnnamedModules::areOne};
  /// Caller and callee; noFunction is the host.
  llvm::DenseSet<std::pair<FunctionIndex, FunctionIndex>> calls = {};
};

struct MatchedFunction {
  /// noFunction: the old side has none that is the same.
  FunctionIndex before = noFunction;
  FunctionMatch match = FunctionMatch::none;
};

/// For each function of `after` the same one of `before`, each of which is used at most once.
/// `modules`: from matchModules.
std::vector<MatchedFunction> matchFunctions(const DiffSide &before, const DiffSide &after,
                                            llvm::ArrayRef<uint32_t> modules);

} // namespace warpo

#endif
