//===- AnnotateTool.h - Writes annotated source ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_ANNOTATETOOL_H
#define WARPO_TOOLING_ANNOTATETOOL_H

#include "warpo/Report/Annotation.h"
#include "warpo/Tooling/ProfileOptions.h"

namespace warpo {

struct AnnotateRequest {
  /// The first is a record or a saved profile, like any other that is such a file; the rest selects
  /// what to annotate, see AnnotationRequest::wanted.
  std::vector<std::string> arguments;
  /// The output file; may be `-`.
  std::string output;
  /// A name in the registry of annotation formats.
  std::string format;
  /// Without `wanted` and the code, which are set from other fields.
  AnnotationRequest annotation = {};
  /// The original module, to show its code below the lines; empty: show no code.
  std::string module = {};
};

llvm::Expected<ToolResult> writeAnnotation(const AnnotateRequest &request,
                                           const ReadingOptions &options,
                                           const ProfileOptions &profileOptions);

} // namespace warpo

#endif
