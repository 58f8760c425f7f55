//===- FunctionMatcher.h - Matches functions under different names --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_FUNCTIONMATCHER_H
#define WARPO_LIB_PROFILE_FUNCTIONMATCHER_H

#include "FunctionUnion.h"
#include "warpo/Profile/ProfileDiff.h"
#include "llvm/ADT/DenseSet.h"

namespace warpo {

/// The functions of one side, and the calls between them.
struct DiffSide {
  FunctionUnion functions{FunctionUnion::UnnamedModules::areOne};
  /// Caller and callee; noFunction is the host.
  llvm::DenseSet<std::pair<FunctionIndex, FunctionIndex>> calls = {};
};

struct MatchedFunction {
  /// noFunction if the old side has no match.
  FunctionIndex before = noFunction;
  FunctionMatch match = FunctionMatch::none;
};

/// For each function of `after` the matching one of `before`, each used at most once. `modules` is
/// from matchModules().
std::vector<MatchedFunction> matchFunctions(const DiffSide &before, const DiffSide &after,
                                            llvm::ArrayRef<uint32_t> modules);

} // namespace warpo

#endif
