//===- RecordSession.h - One record of an engine in this process ----------===//

#ifndef WARPO_LIB_ENGINE_RECORDSESSION_H
#define WARPO_LIB_ENGINE_RECORDSESSION_H

#include "PhaseLog.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Recorder/event_stream.h"
#include "warpo/Recorder/sample_stream.h"
#include "warpo/Recorder/section.h"
#include <chrono>

namespace warpo {

/// Owns the recorder of a run.
class RecordSession {
public:
  /// Opens the record; an error if it cannot be written. Without a target nothing is recorded.
  /// Policy, buffer and clock are what the recorder's variables say.
  static llvm::Expected<std::unique_ptr<RecordSession>> open(const RecordTarget &target);
  RecordSession(const RecordSession &) = delete;
  RecordSession &operator=(const RecordSession &) = delete;
  ~RecordSession() { warpo_recorder_free(recorder_); }

  /// Says in the record what is known of a module, where there is room for it; before its stream is
  /// opened. `bytes` are those of the instrumented module.
  llvm::Error describeModule(uint64_t id, llvm::ArrayRef<uint8_t> bytes, llvm::StringRef path);

  /// A stream for a module; the session closes it. Null if nothing is recorded.
  warpo_stream *openStream(uint64_t module) { return warpo_stream_open(recorder_, module); }
  /// The same, for trace points of 8 bytes; of 16, for warpo_trace_event_fuel, if the module counts
  /// fuel. Where fuel is the only clock, of 8 for warpo_trace_event_at with the fuel as time.
  warpo_event_stream *openEventStream(uint64_t module, bool countsFuel) {
    return countsFuel && !target_.onlyFuel ? warpo_event_stream_open_fuel(recorder_, module)
                                           : warpo_event_stream_open(recorder_, module);
  }
  /// A stream of samples of the program whose main module this is.
  llvm::Expected<warpo_sample_stream *> openSampleStream(uint64_t module,
                                                         const SamplingRequest &sampling);
  /// Whether there is a record, and it has a place for sections.
  bool recordsSections() const { return recorder_ && target_.format != "warp"; }
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
  /// The recorder's clock beside the system's, at nearly the same moment.
  struct ClockPair {
    static ClockPair now();
    uint64_t counts;
    std::chrono::steady_clock::time_point time;
  };

  explicit RecordSession(const RecordTarget &target) : target_(target) {}
  const RecordTarget &target_;
  warpo_recorder *recorder_ = nullptr;
  warpo_recorder_clock clock_ = WARPO_CLOCK_COUNTER;
  ClockPair start_ = ClockPair::now();
};

} // namespace warpo

#endif
