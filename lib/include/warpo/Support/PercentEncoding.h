//===- PercentEncoding.h - Paths in addresses -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_PERCENTENCODING_H
#define WARPO_SUPPORT_PERCENTENCODING_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// Letters, digits and the characters in `plain` stay; of others each byte becomes `%41` and the
/// like.
std::string percentEncoded(llvm::StringRef text, llvm::StringRef plain);

/// The way back; what is no such escape stays.
std::string percentDecoded(llvm::StringRef text);

} // namespace warpo

#endif
