//===- CoverageTool.h - From counts to what was executed ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COVERAGETOOL_H
#define WARPO_TOOLING_COVERAGETOOL_H

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Support/SourcePaths.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

struct CoverageRequest {
  /// Counts of the same module, which are added up. One may be `-`.
  std::vector<std::string> counts;
  /// The original module.
  std::string module;
  /// Where the result goes; may be `-`.
  std::string output;
  /// A name of the registry of formats of coverage.
  std::string format;
  /// How paths are shown; none: as compilers wrote them.
  std::optional<SourcePaths> paths;
  bool showsBranches = true;
  /// The share of lines that has to be executed, in percent; without lines, of functions.
  std::optional<double> failBelow;
};

/// Whether a file begins as counts do; false of one that cannot be read.
bool holdsCounts(const std::string &path);

llvm::Expected<ToolResult> writeCoverage(const CoverageRequest &request);

} // namespace warpo

#endif
