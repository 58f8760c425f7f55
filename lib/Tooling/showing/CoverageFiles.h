//===- CoverageFiles.h - Chooses the files that coverage shows ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COVERAGEFILES_H
#define WARPO_LIB_TOOLING_COVERAGEFILES_H

#include "warpo/Coverage/SourceCounts.h"
#include "warpo/Support/SourcePaths.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace warpo {

/// Leaves out the files that are not wanted. `wanted`: paths as they are shown, by `paths`, their
/// ends, or globs; empty: the files that are on this machine, if any is, since libraries bring
/// places of sources that are not. Fails if nothing is called as is wanted. Notes what is left out.
llvm::Error keepFiles(SourceCounts &source, llvm::ArrayRef<std::string> wanted,
                      const std::optional<SourcePaths> &paths);

/// Leaves out the files that are not on this machine, if any is, for --fail-below where a format
/// does not go by files.
void keepFilesHere(SourceCounts &source, const std::optional<SourcePaths> &paths);

} // namespace warpo

#endif
