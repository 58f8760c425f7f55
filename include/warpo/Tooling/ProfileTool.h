//===- ProfileTool.h - From a record to a profile -------------------------===//

#ifndef WARPO_TOOLING_PROFILETOOL_H
#define WARPO_TOOLING_PROFILETOOL_H

#include "warpo/Output/ProfileBackend.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

struct ProfileRequest {
  /// The record and where the profile goes; both may be `-`.
  std::string record;
  std::string output;
  /// A name of the registry of profile backends.
  std::string format;
  /// The weight that is shown, or shown first; empty: the first one.
  std::string weight;
  /// False: no time appears in the output.
  bool withTime = true;
  /// Empty: the name of the record.
  std::string title;
  CallTreeBuilder::Options limits;
};

/// Folds the record and writes its profile. Says on stderr what was damaged or cut.
llvm::Expected<ToolResult> writeProfile(const ProfileRequest &request,
                                        const ReadingOptions &options);

} // namespace warpo

#endif
