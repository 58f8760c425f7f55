//===- SourceTexts.h - Sources that a module's source map holds -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_SOURCETEXTS_H
#define WARPO_LIB_TOOLING_SOURCETEXTS_H

#include "warpo/Report/Annotation.h"
#include "warpo/Support/SourcePaths.h"
#include <optional>

namespace warpo {

/// Provides the sources that stand in the source map of the module in `path`, if it names one that
/// can be read, under the paths that `paths` makes of theirs.
void provideSources(llvm::StringRef path, const std::optional<SourcePaths> &paths,
                    SourceFiles &files);

} // namespace warpo

#endif
