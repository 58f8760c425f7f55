//===- CountsAnnotation.h - Source, with its executions -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COUNTSANNOTATION_H
#define WARPO_LIB_TOOLING_COUNTSANNOTATION_H

#include "warpo/Coverage/CoverageFormat.h"
#include "warpo/Report/Annotation.h"

namespace warpo {

/// The lines of functions and files that are wanted; of a function those from its first to its last
/// line. Fails if there is nothing that is wanted.
llvm::Expected<Annotation> annotateCounts(const Coverage &coverage, llvm::StringRef title,
                                          const AnnotationRequest &request, SourceFiles &files);

} // namespace warpo

#endif
