//===- SourceTexts.h - Sources embedded in a source map -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_SOURCETEXTS_H
#define WARPO_LIB_TOOLING_SOURCETEXTS_H

#include "warpo/Report/Annotation.h"
#include "warpo/Support/SourcePaths.h"
#include <optional>

namespace warpo {

/// Adds the sources embedded in the source map of the module in `path`, if it names one that can be
/// read, to `files`, with paths converted by `paths`.
void provideSources(llvm::StringRef path, const std::optional<SourcePaths> &paths,
                    SourceFiles &files);

} // namespace warpo

#endif
