//===- CoverageTool.h - From counts to what was executed ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COVERAGETOOL_H
#define WARPO_TOOLING_COVERAGETOOL_H

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Report/Annotation.h"
#include "warpo/Support/SourcePaths.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

struct CoverageRequest {
  /// Counts of the same module, which are added up. One may be `-`. With a format of annotations,
  /// or one that goes by source files, those behind the first that are no such files say what is
  /// wanted: see AnnotationRequest::wanted, or files by their paths, the ends of these, or globs.
  std::vector<std::string> counts;
  /// What the same runs had counted at an earlier moment, which is taken away; empty: nothing.
  std::string since;
  /// Says who called whom in a run that was recorded besides, for formats that show where calls
  /// through tables went; none: it is not known.
  std::function<llvm::Expected<TracedCalls>(const wasm::Module &)> readTrace;
  /// The original module.
  std::string module;
  /// Where the result goes; may be `-`.
  std::string output;
  /// A name of the registry of formats of coverage, of annotations, or of profiles, the first that
  /// has it.
  std::string format;
  /// How paths are shown; none: as compilers wrote them.
  std::optional<SourcePaths> paths;
  bool showsBranches = true;
  /// Whether functions that are not in the module count as not executed.
  bool countsDropped = false;
  /// The share of lines that has to be executed, in percent; where there are no lines it is 0.
  std::optional<double> failBelow;
  /// But for what is wanted, and the code.
  AnnotationRequest annotation = {};
  /// Whether the code of each line stands below it.
  bool assembly = false;
};

/// Whether a file begins as counts do; false of one that cannot be read.
bool holdsCounts(llvm::StringRef path);

llvm::Expected<ToolResult> writeCoverage(const CoverageRequest &request);

} // namespace warpo

#endif
