//===- ProfileInput.h - From records and saved profiles to a profile ------===//

#ifndef WARPO_TOOLING_PROFILEINPUT_H
#define WARPO_TOOLING_PROFILEINPUT_H

#include "warpo/Profile/Profile.h"
#include "warpo/Slice/HostPhases.h"
#include "warpo/Tooling/ProfileOptions.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

/// Looks at the single calls of records, beside the call tree that is made of them.
class RecordWatcher {
public:
  virtual ~RecordWatcher();
  /// What takes the record's events too; lives at least until watched().
  virtual EventSink &watch(RecordInput &record) = 0;
  /// All of the record has been read.
  virtual void watched(RecordInput &record, const SlicingResult &result) = 0;
};

/// Reads what a tool that shows profiles is given: records, saved profiles, one or more. Says on
/// stderr what was damaged, cut or doubtful.
class ProfileReader {
public:
  ProfileReader(const ReadingOptions &options, const ProfileSource &source,
                RecordWatcher *watcher = nullptr)
      : options_(options), source_(source), watcher_(watcher) {}

  /// One input: `-`, a path, or `record:mapping` where the record's functions have names of their
  /// own. Of a path with a colon the whole is tried first. The title is the input's name.
  llvm::Expected<Profile> read(llvm::StringRef input);

  /// Inputs, merged; one is taken as it is. At least one.
  llvm::Expected<Profile> readMerged(llvm::ArrayRef<std::string> inputs);

  /// Of all that was read, the worst.
  ToolResult result() const { return result_; }

  /// What --list-input-formats and --list-slicers ask for, printed, the formats of saved profiles
  /// too; nothing if neither was given.
  static std::optional<llvm::Expected<ToolResult>> list(const ReadingOptions &options);

private:
  llvm::Expected<HostPhases> readPhases(const InputStream &stream) const;
  llvm::Expected<Profile> readRecord(std::unique_ptr<InputStream> stream, llvm::StringRef mapping);
  llvm::Expected<Profile> readSaved(InputStream &stream, const class ProfileFormat &format,
                                    llvm::StringRef mapping);

  const ReadingOptions &options_;
  ProfileSource source_;
  RecordWatcher *watcher_;
  ToolResult result_ = ToolResult::done;
};

} // namespace warpo

#endif
