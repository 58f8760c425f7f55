//===- AnnotationFormat.h - The registry of forms of annotated source -----===//
// SPDX-License-Identifier: Apache-2.0
//
// To add one, add one .cpp to lib/Report/annotate that derives from AnnotationFormat and registers
// itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_REPORT_ANNOTATIONFORMAT_H
#define WARPO_REPORT_ANNOTATIONFORMAT_H

#include "warpo/Report/Annotation.h"
#include "warpo/Report/TableFormat.h"

namespace warpo {

class AnnotationFormat {
public:
  static constexpr llvm::StringLiteral kind = "annotation format";
  virtual ~AnnotationFormat();

  virtual void write(const Annotation &annotation, const TableStyle &style,
                     llvm::raw_ostream &os) = 0;
};

} // namespace warpo

#endif
