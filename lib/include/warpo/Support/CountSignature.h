//===- CountSignature.h - How files of counts begin -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Apart from the format (CountFile.h), for readers of records, which say what such a file is.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_COUNTSIGNATURE_H
#define WARPO_SUPPORT_COUNTSIGNATURE_H

#include "llvm/ADT/StringRef.h"

namespace warpo {

inline constexpr llvm::StringLiteral countSignature = "WARPOCNT";

} // namespace warpo

#endif
