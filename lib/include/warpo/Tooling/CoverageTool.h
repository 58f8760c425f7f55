//===- CoverageTool.h - From counts to coverage ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COVERAGETOOL_H
#define WARPO_TOOLING_COVERAGETOOL_H

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Report/Annotation.h"
#include "warpo/Support/SourcePaths.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

struct CoverageRequest {
  /// Files of counts of the same module, which are added up. One may be `-`. With a format of
  /// annotations or of source files, further arguments that are no such files select what to write:
  /// see AnnotationRequest::wanted, or source files by their paths, ends of these, or globs.
  std::vector<std::string> counts;
  /// Counts of the same runs at an earlier moment, which are subtracted; empty: none.
  std::string since;
  /// Returns the calls of another, recorded run, for formats that show the targets of calls through
  /// tables; may be null.
  std::function<llvm::Expected<TracedCalls>(const wasm::Module &)> readTrace;
  /// The original module.
  std::string module;
  /// The output file; may be `-`.
  std::string output;
  /// A name in the registry of coverage, annotation or profile formats; looked up in this order.
  std::string format;
  /// How to show paths; none: as written by compilers.
  std::optional<SourcePaths> paths;
  bool showsBranches = true;
  /// Whether functions that the module lacks count as not executed.
  bool countsDropped = false;
  /// The percentage of lines that have to be executed; without any lines it is 0.
  std::optional<double> failBelow;
  /// Without `wanted` and the code, which are set from other fields.
  AnnotationRequest annotation = {};
  /// Whether to show the code of each line below it.
  bool assembly = false;
};

/// Whether a file begins like a file of counts; false if it cannot be read.
bool holdsCounts(llvm::StringRef path);

llvm::Expected<ToolResult> writeCoverage(const CoverageRequest &request);

} // namespace warpo

#endif
