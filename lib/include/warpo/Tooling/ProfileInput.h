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

/// Reads the whole stream, and reports on stderr what the format omitted. The caller sets the
/// title.
llvm::Expected<Profile> readSavedProfile(InputStream &stream, ProfileFormat &format);

/// Observes the events of records while a profile is made from them.
class RecordWatcher {
public:
  virtual ~RecordWatcher();
  /// Returns a sink that receives the record's events, too. It must exist until watched() is
  /// called.
  virtual EventSink &watch(RecordInput &record) = 0;
  /// Called when the record has been read completely.
  virtual void watched(RecordInput &record, const SlicingResult &result) = 0;
};

/// Reads the inputs of a tool that shows profiles: one or more records or saved profiles. Reports
/// on stderr what was damaged, cut or doubtful. `calls`, if given, collects the single calls of
/// records.
class ProfileReader {
public:
  ProfileReader(const ReadingOptions &options, const ProfileSource &source,
                RecordWatcher *watcher = nullptr, CallDistribution *calls = nullptr)
      : options_(options), source_(source), watcher_(watcher), calls_(calls) {}

  /// Reads an input: `-`, a path, or `record:mapping` for a record with a separate mapping. If a
  /// path contains a colon, the whole is tried first. The title is the input's name.
  llvm::Expected<Profile> read(llvm::StringRef input);

  /// Reads and merges inputs, at least one. Takes the time from ProfileSource::timeFrom if that is
  /// set.
  llvm::Expected<Profile> readMerged(llvm::ArrayRef<std::string> inputs);

  /// The time of recording of all inputs; nothing if unknown for one.
  std::optional<TimeWindow> window() const;

  /// The worst result of all inputs.
  ToolResult result() const { return result_; }

  /// Call before read() to make callLines() available.
  void collectCallLines() { collectsCallLines_ = true; }
  /// The lines of calls between functions of the traces.
  const CallLinesMap &callLines() const { return callLines_; }

  /// Prints the lists requested by --list-input-formats and --list-slicers, including formats of
  /// saved profiles; nothing if neither was given.
  static std::optional<llvm::Expected<ToolResult>> list(const ReadingOptions &options);

private:
  llvm::Expected<Profile> takeTimeFrom(llvm::StringRef input, const Profile &profile);
  llvm::Expected<Profile> readInputs(llvm::ArrayRef<std::string> inputs);
  llvm::Expected<Profile> readRecord(std::unique_ptr<InputStream> stream, llvm::StringRef mapping);
  void keepHashes(const RecordHeader &header);
  void joinHashes(const Profile &profile, std::map<std::string, std::string> &byName) const;
  /// Adds details of a record's calls from the source locations of the code.
  llvm::Expected<Profile> withCode(Profile profile, class RecordedCode &code);
  llvm::Expected<Profile> readSaved(InputStream &stream, ProfileFormat &format,
                                    llvm::StringRef mapping);

  const ReadingOptions &options_;
  ProfileSource source_;
  RecordWatcher *watcher_;
  CallDistribution *calls_;
  /// By input.
  std::vector<std::optional<TimeWindow>> windows_;
  /// Hashes of the modules of all records; empty for an id that several modules have.
  ModuleHashes hashes_;
  ToolResult result_ = ToolResult::done;
  bool collectsCallLines_ = false;
  CallLinesMap callLines_;
  /// Read when first needed.
  std::shared_ptr<const class InlineCounts> inlineCounts_;
};

} // namespace warpo

#endif
