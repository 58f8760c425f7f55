//===- ShellWord.h - Words of commands that a shell can be given ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SHELLWORD_H
#define WARPO_SUPPORT_SHELLWORD_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// In quotes, if a shell would not take the word as it is.
std::string shellWord(llvm::StringRef word);

} // namespace warpo

#endif
