//===- OptionTable.h - The options that --help shows ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_OPTIONTABLE_H
#define WARPO_LIB_TOOLING_OPTIONTABLE_H

#include "warpo/Tooling/KnownValues.h"
#include <string>

namespace warpo {

/// An option, or a command of `warpo`.
struct ShownOption {
  /// As registered: `format`, `o`.
  llvm::StringRef name;
  /// `--format`, `-o`.
  std::string spelling;
  /// What may follow, as --help writes it: `=<name>`, ` <file>`, `[=<roots>]`. Empty for a flag.
  std::string value;
  /// In one line.
  std::string description;
  llvm::ArrayRef<KnownValue> values;

  bool needsValue() const { return !value.empty() && value.front() != '['; }
};

struct ShownGroup {
  llvm::StringRef name;
  std::vector<ShownOption> options;
};

/// Groups and their options, both sorted by name, as --help shows them once fitHelp was called.
std::vector<ShownGroup> shownOptions();

/// What follows the tool's name: `[options] [record...]`.
std::string usageArguments();

} // namespace warpo

#endif
