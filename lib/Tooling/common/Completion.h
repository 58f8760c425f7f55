//===- Completion.h - Completion of command lines -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COMPLETION_H
#define WARPO_LIB_TOOLING_COMPLETION_H

#include "OptionTable.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// What a shell offers for a word; files if both members are empty.
struct Completion {
  /// Options, with `=` at the end if a value follows; or values.
  std::vector<std::pair<std::string, std::string>> candidates;
  /// The option of the tool that lists the values: `--list-formats`.
  std::string list;
};

/// Completes the last of `words`, which are the words after the tool's name.
Completion completeWords(llvm::ArrayRef<llvm::StringRef> words);

/// Prints lines `candidate - description`, like --list-….
void print(const Completion &completion, llvm::raw_ostream &os);

} // namespace warpo

#endif
