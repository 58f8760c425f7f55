//===- RecordSession.h - One record of an engine in this process ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_RECORDSESSION_H
#define WARPO_LIB_ENGINE_RECORDSESSION_H

#include "PhaseLog.h"
#include "RecordSwitch.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Engine/ProgramUnit.h"
#include "warpo/Recorder/sample_stream.h"
#include "warpo/Recorder/section.h"

namespace warpo {

/// Says in `result` what became of a record, whichever recorder wrote it.
void describeRecord(const warpo_recorder_counts &counts, const warpo_section_counts &sections,
                    llvm::StringRef error, RunResult &result);

/// Owns the recorder of a run.
class RecordSession {
public:
  /// Opens the record; an error if it cannot be written. Without a target nothing is recorded.
  /// Policy, buffer and clock are what the recorder's variables say; with `isPlain`, the record of
  /// a program that is sampled as it is, the clock is CLOCK_MONOTONIC.
  static llvm::Expected<std::unique_ptr<RecordSession>> open(const RecordTarget &target,
                                                             bool isPlain);
  RecordSession(const RecordSession &) = delete;
  RecordSession &operator=(const RecordSession &) = delete;
  ~RecordSession() {
    switch_.reset();
    warpo_recorder_free(recorder_);
  }

  /// Null if nothing is recorded. The session closes the streams that are opened with it.
  warpo_recorder *recorder() { return recorder_; }
  /// Says in the record what is known of a module, where there is room for it; before a stream is
  /// opened. `isAlone`: no other module is recorded.
  llvm::Error describeModule(const ProgramUnit &unit, bool isAlone);
  /// What its record calls a module: by its own name, else by its file's.
  static std::string nameOf(const ProgramUnit &unit);
  /// Says what a function of a module is called that was described without the names of its
  /// functions.
  void nameFunction(const ProgramUnit &unit, int32_t id, llvm::StringRef name);

  /// A stream of samples of the program, of whose modules this is the first that is sampled.
  llvm::Expected<warpo_sample_stream *> openSampleStream(uint64_t module,
                                                         const SamplingRequest &sampling);
  /// A stream of heap events, of whose modules this is the first that tells them.
  llvm::Expected<warpo_sample_stream *> openHeapStream(uint64_t module);
  /// See ProgramRun.
  void followSwitch(uint64_t *recording, std::function<void()> beforeOn);
  /// See RecordSwitch.
  void recordEnds() {
    if (switch_)
      switch_->recordEnds();
  }
  /// From now on nothing is stored into what follows the switch.
  void endSwitch() { switch_.reset(); }
  /// Whether there is a record, and it has a place for sections.
  bool recordsSections() const { return recorder_ && hasNames_; }
  /// A section begins: on a stream, or, without one, only on the stack that samples are taken of.
  /// No `name`: it does not lie in the program's memory. Returns its id among the module's
  /// functions; 0 if it is not recorded.
  int32_t beginSection(uint64_t module, warpo_event_stream *stream,
                       std::optional<llvm::ArrayRef<uint8_t>> name, uint64_t fuel);
  /// Says in the record what the host did, where there is room for it.
  void addPhases(const PhaseLog &log);
  /// Writes all that was recorded and says in `result` what became of it, and the clock's rate.
  void finish(RunResult &result);

private:
  /// Closes the stream where the record takes none.
  llvm::Expected<warpo_sample_stream *> checkStream(warpo_sample_stream *stream);

  RecordSession(const RecordTarget &target, bool isPlain) : target_(target), isPlain_(isPlain) {}
  const RecordTarget &target_;
  const bool isPlain_;
  warpo_recorder *recorder_ = nullptr;
  std::unique_ptr<RecordSwitch> switch_;
  warpo_recorder_clock clock_ = WARPO_CLOCK_COUNTER;
  /// The format has a place for names, and so for all but calls, and says the rate of its clock.
  bool hasNames_ = true;
};

} // namespace warpo

#endif
