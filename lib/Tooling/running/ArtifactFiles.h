//===- ArtifactFiles.h - Files for a program's artifacts ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_ARTIFACTFILES_H
#define WARPO_LIB_TOOLING_ARTIFACTFILES_H

#include "warpo/Engine/HostCalls.h"

namespace warpo {

/// Their destination: in the record's folder, each with its own extension.
struct ArtifactTarget {
  const RecordTarget &record;
  /// If not empty, the path for counts.
  std::string counts;
};

/// To be called before the run. Fails if not all artifacts of the program's modules can be written:
/// those for one file have different formats, or the file is used otherwise.
llvm::Error checkArtifactFiles(const ArtifactTarget &target, const ProgramHostCalls &calls);

/// Writes the artifacts of a run, concatenating those of one format. Reports on stderr what was
/// written, unless `quiet`, and what was not. False if something is lost.
bool writeArtifactFiles(const ArtifactTarget &target, const ProgramHostCalls &calls,
                        const RunResult &result, bool quiet);

/// Warns if all counts are 0: the program has not begun a section with this name.
void warnOfEmptyCounts(const RunResult &result, llvm::StringRef part);

/// The same for the contents of a file of counts.
void warnOfEmptyCounts(llvm::StringRef counts, llvm::StringRef part);

} // namespace warpo

#endif
