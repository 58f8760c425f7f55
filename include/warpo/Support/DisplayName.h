//===- DisplayName.h - Names of hostile origin, fit to be shown -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_DISPLAYNAME_H
#define WARPO_SUPPORT_DISPLAYNAME_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// Makes a name safe to show: valid UTF-8, with control characters (which a terminal would
/// obey) and line separators replaced by spaces, and trimmed; `[unknown]` if nothing is
/// left.
std::string displayName(llvm::StringRef name);

/// The same for at most the first 200 bytes, followed by `…` if there are more: for names repeated
/// for many functions, which would let a small record make a huge output.
std::string displayShortName(llvm::StringRef name);

/// A source place, `app.c:12`, without the line if it is 0; empty if the file is.
std::string displayPlace(llvm::StringRef file, uint32_t line);

/// The functions inlined into a function, as in `contains insert, find_slow and 3 more`; empty for
/// no names.
std::string displayInlined(const std::vector<llvm::StringRef> &names);

/// Makes a message safe to show; what is safe is unchanged, including line breaks.
std::string displayText(llvm::StringRef text);

} // namespace warpo

#endif
