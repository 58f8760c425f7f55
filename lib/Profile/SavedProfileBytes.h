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
inline constexpr uint8_t firstSavedProfileVersion = 1;
// What a version adds to the first, as bits of the difference. A profile has the first version that
// offers all it needs.
inline constexpr uint8_t savedPeriod = 1;
inline constexpr uint8_t savedInlined = 2;
inline constexpr uint8_t lastSavedProfileVersion =
    firstSavedProfileVersion + (savedPeriod | savedInlined);

} // namespace warpo

#endif
