//===- ProfileTool.h - From a record to a profile -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_PROFILETOOL_H
#define WARPO_TOOLING_PROFILETOOL_H

#include "warpo/Output/ProfileBackend.h"
#include "warpo/Tooling/ProfileOptions.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

struct ProfileRequest {
  /// Records and saved profiles, as ProfileReader takes them; several are merged.
  std::vector<std::string> inputs;
  /// Where the profile goes; may be `-`.
  std::string output;
  /// A name of the registry of profile backends.
  std::string format;
  /// For the format: `name` or `name=value`.
  std::vector<std::string> formatOptions;
  /// Empty: the name of the input.
  std::string title;
  /// Where links to the source lead to; empty: there are none.
  SourceUrl sourceUrl = {};
  /// What the format is to say of the inputs.
  std::vector<OutputLabel> labels = {};
  /// How long the windows of time are that have a profile each, in nanoseconds; 0: all is one.
  uint64_t every = 0;
};

/// Folds the record and writes its profile. Says on stderr what was damaged or cut.
llvm::Expected<ToolResult> writeProfile(const ProfileRequest &request,
                                        const ReadingOptions &options,
                                        const ProfileOptions &profileOptions);

/// Writes the record's calls in the order of time instead, in the format that ProfileBackend names
/// for it. Of the profile's options only those go with it that choose a weight and names.
llvm::Expected<ToolResult> writeTimeOrdered(const ProfileRequest &request,
                                            const ReadingOptions &options,
                                            const ProfileOptions &profileOptions);

} // namespace warpo

#endif
