//===- AnnotateTool.h - From records to annotated source ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_ANNOTATETOOL_H
#define WARPO_TOOLING_ANNOTATETOOL_H

#include "warpo/Report/Annotation.h"
#include "warpo/Tooling/ProfileOptions.h"

namespace warpo {

struct AnnotateRequest {
  /// The first is a record or saved profile, and so are those of the others that are files of such
  /// a kind; the rest say what is wanted, see AnnotationRequest::wanted.
  std::vector<std::string> arguments;
  /// Where the annotation goes; may be `-`.
  std::string output;
  /// A name of the registry of annotation formats.
  std::string format;
  /// But for what is wanted, and the code.
  AnnotationRequest annotation = {};
  /// The original module, whose code stands below its lines; empty: none does.
  std::string module = {};
};

llvm::Expected<ToolResult> writeAnnotation(const AnnotateRequest &request,
                                           const ReadingOptions &options,
                                           const ProfileOptions &profileOptions);

} // namespace warpo

#endif
