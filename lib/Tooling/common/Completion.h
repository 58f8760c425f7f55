//===- Completion.h - What can follow on a command line -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_COMPLETION_H
#define WARPO_LIB_TOOLING_COMPLETION_H

#include "OptionTable.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// What a shell offers for a word. With neither of both it offers files.
struct Completion {
  /// Options as they are written, with a `=` at the end where a value follows; or values.
  std::vector<std::pair<std::string, std::string>> candidates;
  /// The values are what this option of the tool lists: `--list-formats`.
  std::string list;
};

/// What the last of `words` can become; they are those behind the tool's name.
Completion completeWords(llvm::ArrayRef<llvm::StringRef> words);

/// A line each, `candidate - description`, as --list-… prints them.
void print(const Completion &completion, llvm::raw_ostream &os);

} // namespace warpo

#endif
