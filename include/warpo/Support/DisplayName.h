//===- DisplayName.h - Names of hostile origin, fit to be shown -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_DISPLAYNAME_H
#define WARPO_SUPPORT_DISPLAYNAME_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// A name as text that can be shown: valid UTF-8 without control characters and line separators,
/// which become spaces, and without spaces around it; `[unknown]` if nothing is left. A terminal
/// would obey the control characters.
std::string displayName(llvm::StringRef name);

/// The same of its first 200 bytes or fewer, with `…` behind them if there are more: for names that
/// stand beside many functions, which a small record could make a large output of.
std::string displayShortName(llvm::StringRef name);

/// A place in the source, `app.c:12`, without the line if that is 0; empty if the file is.
std::string displayPlace(llvm::StringRef file, uint32_t line);

/// What a function has in it from others, as in `contains insert, find_slow and 3 more`; empty for
/// no names.
std::string displayInlined(const std::vector<llvm::StringRef> &names);

/// The same for a message: what is fit to be shown stays to the letter, line ends included.
std::string displayText(llvm::StringRef text);

} // namespace warpo

#endif
