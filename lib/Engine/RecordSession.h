//===- RecordSession.h - The record of an engine in this process ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_RECORDSESSION_H
#define WARPO_LIB_ENGINE_RECORDSESSION_H

#include "PhaseLog.h"
#include "RecordSwitch.h"
#include "RecordWatch.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Engine/ProgramUnit.h"
#include "warpo/Recorder/sample_stream.h"
#include "warpo/Recorder/section.h"

namespace warpo {

/// Sets the counts and errors of a record in `result`, for any recorder.
void describeRecord(const warpo_recorder_counts &counts, const warpo_section_counts &sections,
                    llvm::StringRef error, RunResult &result);

class RecordSession {
public:
  /// Opens the record; fails if it cannot be written. Without a target nothing is recorded. Policy,
  /// buffer and clock come from the recorder's environment variables. `isPlain` is for a program
  /// that is sampled uninstrumented: its clock is CLOCK_MONOTONIC.
  static llvm::Expected<std::unique_ptr<RecordSession>> open(const RecordTarget &target,
                                                             bool isPlain);
  RecordSession(const RecordSession &) = delete;
  RecordSession &operator=(const RecordSession &) = delete;
  ~RecordSession() {
    switch_.reset();
    watch_.reset();
    warpo_recorder_free(recorder_);
  }

  /// Null if nothing is recorded. The session closes streams that are opened with it.
  warpo_recorder *recorder() { return recorder_; }
  /// Describes a module in the record, if the format has a place for that. To be called before a
  /// stream is opened. `isAlone`: no other module is recorded.
  llvm::Error describeModule(const ProgramUnit &unit, bool isAlone);
  /// The module's name in the record: its own name or that of its file.
  static std::string nameOf(const ProgramUnit &unit);
  /// Names a function of a module that was described without names of functions.
  void nameFunction(const ProgramUnit &unit, int32_t id, llvm::StringRef name);

  /// Opens a stream of samples of the program; `module` is its first sampled module.
  llvm::Expected<warpo_sample_stream *> openSampleStream(uint64_t module,
                                                         const SamplingRequest &sampling);
  /// Opens a stream of heap events; `module` is the first module that reports any.
  llvm::Expected<warpo_sample_stream *> openHeapStream(uint64_t module);
  /// See ProgramRun.
  void followSwitch(uint64_t *recording, std::function<void()> beforeOn);
  /// See RecordSwitch.
  void recordEnds() {
    if (switch_)
      switch_->recordEnds();
  }
  /// From now on nothing is stored into the words of followSwitch().
  void endSwitch() { switch_.reset(); }
  /// Whether there is a record, and its format has sections.
  bool recordsSections() const { return recorder_ && hasNames_; }
  /// Begins a section: on a stream or, without one, only on the stack of samples. `name` is nothing
  /// if it is not within the program's memory. Returns its id among the module's functions; 0 if it
  /// is not recorded.
  int32_t beginSection(uint64_t module, warpo_event_stream *stream,
                       std::optional<llvm::ArrayRef<uint8_t>> name, uint64_t fuel);
  /// Records the host's phases, if the format has a place for them.
  void addPhases(const PhaseLog &log);
  /// Writes the rest of the record; sets its counts, its errors and the clock's rate in `result`.
  void finish(RunResult &result);

private:
  /// Fails, and closes the stream, if the recorder has failed.
  llvm::Expected<warpo_sample_stream *> checkStream(warpo_sample_stream *stream);

  RecordSession(const RecordTarget &target, bool isPlain) : target_(target), isPlain_(isPlain) {}
  const RecordTarget &target_;
  const bool isPlain_;
  warpo_recorder *recorder_ = nullptr;
  std::unique_ptr<RecordSwitch> switch_;
  std::unique_ptr<RecordWatch> watch_;
  warpo_recorder_clock clock_ = WARPO_CLOCK_COUNTER;
  /// Whether the format has names, everything else besides calls, and the rate of its clock.
  bool hasNames_ = true;
};

} // namespace warpo

#endif
