//===- CoverageFiles.h - Selects the files of coverage --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COVERAGEFILES_H
#define WARPO_LIB_TOOLING_COVERAGEFILES_H

#include "warpo/Coverage/SourceCounts.h"
#include "warpo/Support/SourcePaths.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace warpo {

/// Removes all files but `wanted`, which are displayed paths (as converted by `paths`), ends of
/// these, or globs; empty: the files that exist on this machine, if any, as libraries have
/// locations in sources that do not. Fails if a wanted one matches nothing. Notes what is left out.
llvm::Error keepFiles(SourceCounts &source, llvm::ArrayRef<std::string> wanted,
                      const std::optional<SourcePaths> &paths);

/// Removes the files that do not exist on this machine, unless none does. For --fail-below with a
/// format that is not by files.
void keepFilesHere(SourceCounts &source, const std::optional<SourcePaths> &paths);

} // namespace warpo

#endif
