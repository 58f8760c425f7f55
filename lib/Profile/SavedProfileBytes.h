//===- SavedProfileBytes.h - What a saved profile begins with -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_SAVEDPROFILEBYTES_H
#define WARPO_LIB_PROFILE_SAVEDPROFILEBYTES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

// Neither text nor anything that survives being copied as text.
inline constexpr llvm::StringLiteral savedProfileMagic =
    llvm::StringLiteral::withInnerNUL("\0wprof\r\n");
inline constexpr uint8_t savedProfileVersion = 1;
// The same with the period of samples. Profiles without one are of the first version.
inline constexpr uint8_t savedSampledProfileVersion = 2;

} // namespace warpo

#endif
