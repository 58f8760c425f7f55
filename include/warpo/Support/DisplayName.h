//===- DisplayName.h - Names of hostile origin, fit to be shown -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_DISPLAYNAME_H
#define WARPO_SUPPORT_DISPLAYNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// A name as text that can be shown: valid UTF-8 without control characters and line separators,
/// which become spaces, and without spaces around it; `[unknown]` if nothing is left. A terminal
/// would obey the control characters.
std::string displayName(llvm::StringRef name);

/// The same for a message: what is fit to be shown stays to the letter, line ends included.
std::string displayText(llvm::StringRef text);

} // namespace warpo

#endif
