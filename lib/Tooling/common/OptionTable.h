//===- OptionTable.h - The options in --help ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_OPTIONTABLE_H
#define WARPO_LIB_TOOLING_OPTIONTABLE_H

#include "warpo/Tooling/KnownValues.h"
#include <string>

namespace warpo {

/// An option, or a command of `warpo`.
struct ShownOption {
  /// The registered name: `format`, `o`.
  llvm::StringRef name;
  /// `--format`, `-o`.
  std::string spelling;
  /// The value, as in --help: `=<name>`, ` <file>`, `[=<roots>]`. Empty for a flag.
  std::string value;
  /// On one line.
  std::string description;
  llvm::ArrayRef<KnownValue> values;

  bool needsValue() const { return !value.empty() && value.front() != '['; }
};

struct ShownGroup {
  llvm::StringRef name;
  std::vector<ShownOption> options;
};

/// Groups and their options, both sorted by name, like in --help after fitHelp() was called.
std::vector<ShownGroup> shownOptions();

/// The text after the tool's name: `[options] [record...]`.
std::string usageArguments();

} // namespace warpo

#endif
