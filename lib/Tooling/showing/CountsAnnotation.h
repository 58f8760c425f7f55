//===- CountsAnnotation.h - Source annotated with executions --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COUNTSANNOTATION_H
#define WARPO_LIB_TOOLING_COUNTSANNOTATION_H

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Report/Annotation.h"

namespace warpo {

/// Annotates the requested functions, from first to last line, and files. Fails if there are none.
llvm::Expected<Annotation> annotateCounts(const Coverage &coverage, llvm::StringRef title,
                                          const AnnotationRequest &request, SourceFiles &files);

} // namespace warpo

#endif
