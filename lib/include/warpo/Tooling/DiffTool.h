//===- DiffTool.h - What tools that compare profiles share ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_DIFFTOOL_H
#define WARPO_TOOLING_DIFFTOOL_H

#include "warpo/Profile/ProfileDiff.h"
#include "warpo/Tooling/ProfileInput.h"
#include "warpo/Tooling/ProfileOptions.h"

namespace warpo {

/// The command line options of a tool that compares. The inputs without an option are the new side.
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
  /// What --fail-above says; nothing if it was not given.
  llvm::Expected<std::optional<double>> limit() const;
};

/// Reads both sides, each input a run of its own, in the views that the options ask for.
llvm::Expected<ProfileDiff> readDiff(const DiffOptions &options, llvm::ArrayRef<std::string> inputs,
                                     ProfileReader &reader, const ProfileViews &views);

/// `after.rec against before.rec`, for headings; of several runs `3 runs`.
std::string diffTitle(const DiffOptions &options, llvm::ArrayRef<std::string> inputs);

/// What became of the shown weight in all, in a sentence, and whether that is more than
/// --fail-above allows.
llvm::Expected<std::string> verdictText(const ProfileDiff &diff, const DiffOptions &options);

/// `result`, or what it is with --fail-above, which then says on stderr what increased how much.
llvm::Expected<ToolResult> verdictOf(const ProfileDiff &diff, const DiffOptions &options,
                                     ToolResult result);

/// What to write, and where.
struct DiffRequest {
  /// Of the new side.
  std::vector<std::string> inputs;
  std::string output;
  /// A name of the registry of backends for differences.
  std::string format;
  /// Empty: the names of the inputs.
  std::string title;
};

/// Compares and writes what changed.
llvm::Expected<ToolResult> writeDiff(const DiffRequest &request, const ReadingOptions &options,
                                     const ProfileOptions &profileOptions,
                                     const DiffOptions &diffOptions);

} // namespace warpo

#endif
