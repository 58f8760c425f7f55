//===- ShellWord.h - Quotes words for a shell -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SHELLWORD_H
#define WARPO_SUPPORT_SHELLWORD_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// Adds quotes if a shell would not take the word literally.
std::string shellWord(llvm::StringRef word);

} // namespace warpo

#endif
