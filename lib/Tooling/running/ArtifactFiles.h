//===- ArtifactFiles.h - Where what a program collected by itself goes ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_ARTIFACTFILES_H
#define WARPO_LIB_TOOLING_ARTIFACTFILES_H

#include "warpo/Engine/HostCalls.h"

namespace warpo {

/// Where they go: beside the record of the run, each with an extension of its own.
struct ArtifactTarget {
  const RecordTarget &record;
  /// Where counts go instead, if not empty.
  std::string counts;
};

/// An error if the artifacts of the program's modules cannot all be written: those of one file are
/// of different formats, or the file is needed for something else. Before the run.
llvm::Error checkArtifactFiles(const ArtifactTarget &target, const ProgramHostCalls &calls);

/// Writes the artifacts of a run: the instances' of one format behind each other. Says on stderr
/// what was written, unless `quiet`, and what was not. False if something is lost.
bool writeArtifactFiles(const ArtifactTarget &target, const ProgramHostCalls &calls,
                        const RunResult &result, bool quiet);

/// Warns if all counts are 0: the program has begun no section of this name.
void warnOfEmptyCounts(const RunResult &result, llvm::StringRef part);

/// The same for the contents of a file of counts.
void warnOfEmptyCounts(llvm::StringRef counts, llvm::StringRef part);

} // namespace warpo

#endif
