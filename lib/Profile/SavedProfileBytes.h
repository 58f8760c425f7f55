//===- SavedProfileBytes.h - What a saved profile begins with -------------===//

#ifndef WARPO_LIB_PROFILE_SAVEDPROFILEBYTES_H
#define WARPO_LIB_PROFILE_SAVEDPROFILEBYTES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

// Neither text nor anything that survives being copied as text.
inline constexpr llvm::StringLiteral savedProfileMagic =
    llvm::StringLiteral::withInnerNUL("\0wprof\r\n");
inline constexpr uint8_t savedProfileVersion = 1;

} // namespace warpo

#endif
