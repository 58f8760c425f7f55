//===- EstimatedFrame.h - Marks estimated frames of inlined code ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_ESTIMATEDFRAME_H
#define WARPO_SUPPORT_ESTIMATEDFRAME_H

#include "llvm/ADT/StringRef.h"

namespace warpo {

/// Suffix for the name of an inlined function whose share of the surrounding function's time is an
/// estimate. splitCallKind() recognises it.
inline constexpr llvm::StringLiteral estimatedFrameSuffix = " [inlined, estimated]";

} // namespace warpo

#endif
