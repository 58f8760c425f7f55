//===- PercentEncoding.h - Percent encoding for URLs ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_PERCENTENCODING_H
#define WARPO_SUPPORT_PERCENTENCODING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// Keeps letters, digits and the characters in `plain`; every other byte becomes an escape such as
/// `%41`.
std::string percentEncoded(llvm::StringRef text, llvm::StringRef plain);

/// Decodes escapes; keeps everything else.
std::string percentDecoded(llvm::StringRef text);

} // namespace warpo

#endif
