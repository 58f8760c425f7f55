//===- EstimatedFrame.h - Frames of inlined code in what was traced -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_ESTIMATEDFRAME_H
#define WARPO_SUPPORT_ESTIMATEDFRAME_H

#include "llvm/ADT/StringRef.h"

namespace warpo {

/// What is shown behind the name of an inlined function whose own share of the time around it is an
/// estimate; splitCallKind() knows it.
inline constexpr llvm::StringLiteral estimatedFrameSuffix = " [inlined, estimated]";

} // namespace warpo

#endif
