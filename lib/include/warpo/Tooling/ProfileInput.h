//===- ProfileInput.h - From records and saved profiles to a profile ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_PROFILEINPUT_H
#define WARPO_TOOLING_PROFILEINPUT_H

#include "warpo/Profile/CodeDetail.h"
#include "warpo/Profile/SampledTime.h"
#include "warpo/Tooling/ProfileOptions.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

class CallDistribution;
class ProfileFormat;

/// All that the stream has, in the format that knows it; says on stderr what the format left out.
/// The title is the caller's to set.
llvm::Expected<Profile> readSavedProfile(InputStream &stream, ProfileFormat &format);

/// Looks at the events of records, beside the profile that is made of them.
class RecordWatcher {
public:
  virtual ~RecordWatcher();
  /// What takes the record's events too; lives at least until watched().
  virtual EventSink &watch(RecordInput &record) = 0;
  /// All of the record has been read.
  virtual void watched(RecordInput &record, const SlicingResult &result) = 0;
};

/// Reads what a tool that shows profiles is given: records, saved profiles, one or more. Says on
/// stderr what was damaged, cut or doubtful. `calls`, if given, collects the single calls of
/// records.
class ProfileReader {
public:
  ProfileReader(const ReadingOptions &options, const ProfileSource &source,
                RecordWatcher *watcher = nullptr, CallDistribution *calls = nullptr)
      : options_(options), source_(source), watcher_(watcher), calls_(calls) {}

  /// One input: `-`, a path, or `record:mapping` where the record's functions have names of their
  /// own. Of a path with a colon the whole is tried first. The title is the input's name.
  llvm::Expected<Profile> read(llvm::StringRef input);

  /// Inputs, merged; one is taken as it is. At least one. With the time that the source says.
  llvm::Expected<Profile> readMerged(llvm::ArrayRef<std::string> inputs);

  /// When what was read was recorded; nothing if an input does not say.
  std::optional<TimeWindow> window() const;

  /// Of all that was read, the worst.
  ToolResult result() const { return result_; }

  /// Before read(): finds out what callLines() is.
  void collectCallLines() { collectsCallLines_ = true; }
  /// Where functions of the traces that were read call each other.
  const CallLinesMap &callLines() const { return callLines_; }

  /// What --list-input-formats and --list-slicers ask for, printed, the formats of saved profiles
  /// too; nothing if neither was given.
  static std::optional<llvm::Expected<ToolResult>> list(const ReadingOptions &options);

private:
  llvm::Expected<Profile> takeTimeFrom(llvm::StringRef input, const Profile &profile);
  llvm::Expected<Profile> readInputs(llvm::ArrayRef<std::string> inputs);
  llvm::Expected<Profile> readRecord(std::unique_ptr<InputStream> stream, llvm::StringRef mapping);
  void keepHashes(const RecordHeader &header);
  void joinHashes(const Profile &profile, std::map<std::string, std::string> &byName) const;
  /// With what the places of the code say of a record's calls.
  llvm::Expected<Profile> withCode(Profile profile, class RecordedCode &code);
  llvm::Expected<Profile> readSaved(InputStream &stream, ProfileFormat &format,
                                    llvm::StringRef mapping);

  const ReadingOptions &options_;
  ProfileSource source_;
  RecordWatcher *watcher_;
  CallDistribution *calls_;
  /// Of each input that was read.
  std::vector<std::optional<TimeWindow>> windows_;
  /// Of the modules of all records; empty for an id that several modules have.
  ModuleHashes hashes_;
  ToolResult result_ = ToolResult::done;
  bool collectsCallLines_ = false;
  CallLinesMap callLines_;
  /// Read for the first record that they are asked for.
  std::shared_ptr<const class InlineCounts> inlineCounts_;
};

} // namespace warpo

#endif
