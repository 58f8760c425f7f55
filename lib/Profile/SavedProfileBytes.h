//===- SavedProfileBytes.h - Header of saved profiles ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PROFILE_SAVEDPROFILEBYTES_H
#define WARPO_LIB_PROFILE_SAVEDPROFILEBYTES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

// Not text, and damaged by a copy in text mode.
inline constexpr llvm::StringLiteral savedProfileMagic =
    llvm::StringLiteral::withInnerNUL("\0wprof\r\n");
inline constexpr uint8_t firstSavedProfileVersion = 1;
// Additions of versions, as bits of the difference to the first version. A profile has the lowest
// version that supports all it contains.
inline constexpr uint8_t savedPeriod = 1;
inline constexpr uint8_t savedInlined = 2;
inline constexpr uint8_t lastSavedProfileVersion =
    firstSavedProfileVersion + (savedPeriod | savedInlined);

} // namespace warpo

#endif
