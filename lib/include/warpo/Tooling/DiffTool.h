//===- DiffTool.h - Shared by tools that compare profiles -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_DIFFTOOL_H
#define WARPO_TOOLING_DIFFTOOL_H

#include "warpo/Profile/ProfileDiff.h"
#include "warpo/Tooling/ProfileInput.h"
#include "warpo/Tooling/ProfileOptions.h"

namespace warpo {

/// The command line options of a tool that compares. Inputs without an option are the new side.
struct DiffOptions {
  TextsOption diff{"diff", inputOption("Compare with this (repeated: with several runs)", "record"),
                   namesInput(), needs(Need::sums), isAlternative()};
  TextOption failAbove{
      "fail-above",
      outputOption("With --diff: exit code 3 if anything increased by more, as a share of the "
                   "whole",
                   "share"),
      needs("diff")};

  bool isDiff() const { return !diff.empty(); }
  /// The value of --fail-above; nothing if it was not given.
  llvm::Expected<std::optional<double>> limit() const;
};

/// Reads both sides, with each input as a separate run, and applies the views.
llvm::Expected<ProfileDiff> readDiff(const DiffOptions &options, llvm::ArrayRef<std::string> inputs,
                                     ProfileReader &reader, const ProfileViews &views);

/// `after.rec against before.rec`, for headings; `3 runs` for several.
std::string diffTitle(const DiffOptions &options, llvm::ArrayRef<std::string> inputs);

/// A sentence on the total change of the shown weight, and whether it exceeds --fail-above.
llvm::Expected<std::string> verdictText(const ProfileDiff &diff, const DiffOptions &options);

/// `result`, unless an increase exceeds --fail-above, which is then reported on stderr.
llvm::Expected<ToolResult> verdictOf(const ProfileDiff &diff, const DiffOptions &options,
                                     ToolResult result);

/// What to write.
struct DiffRequest {
  /// The inputs of the new side.
  std::vector<std::string> inputs;
  std::string output;
  /// A name in the registry of backends for differences.
  std::string format;
  /// Empty: the names of the inputs.
  std::string title;
};

/// Compares both sides and writes the difference.
llvm::Expected<ToolResult> writeDiff(const DiffRequest &request, const ReadingOptions &options,
                                     const ProfileOptions &profileOptions,
                                     const DiffOptions &diffOptions);

} // namespace warpo

#endif
