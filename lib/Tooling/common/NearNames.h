//===- NearNames.h - Suggestions for a pattern without matches ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_NEARNAMES_H
#define WARPO_LIB_TOOLING_NEARNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// The error `no function's name matches 'prase'; near are 'parse', …`, with names that contain a
/// pattern or differ from it in a few characters.
llvm::Error noFunctionMatches(llvm::ArrayRef<std::string> patterns,
                              llvm::ArrayRef<llvm::StringRef> names);

} // namespace warpo

#endif
