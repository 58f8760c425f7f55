//===- ProfileTool.h - From a record to a profile -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_PROFILETOOL_H
#define WARPO_TOOLING_PROFILETOOL_H

#include "warpo/Output/ProfileBackend.h"
#include "warpo/Tooling/ProfileOptions.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

struct ProfileRequest {
  /// Records and saved profiles, as for ProfileReader; several are merged.
  std::vector<std::string> inputs;
  /// The output file; may be `-`.
  std::string output;
  /// A name in the registry of profile backends.
  std::string format;
  /// Options for the format: `name` or `name=value`.
  std::vector<std::string> formatOptions;
  /// Empty: the name of the input.
  std::string title;
  /// The target of links to the source; empty: no links.
  SourceUrl sourceUrl = {};
  /// Labels of the inputs, for formats that support them.
  std::vector<OutputLabel> labels = {};
  /// The length in nanoseconds of windows of time with a profile each; 0: one profile.
  uint64_t every = 0;
};

/// Reads the inputs and writes their profile. Reports on stderr what was damaged or cut.
llvm::Expected<ToolResult> writeProfile(const ProfileRequest &request,
                                        const ReadingOptions &options,
                                        const ProfileOptions &profileOptions);

/// Writes the record's calls in order of time instead, in the format that ProfileBackend names for
/// this. Of the profile's options, only those for weight and names can be combined with it.
llvm::Expected<ToolResult> writeTimeOrdered(const ProfileRequest &request,
                                            const ReadingOptions &options,
                                            const ProfileOptions &profileOptions);

} // namespace warpo

#endif
