//===- RecordSession.h - One record of an engine in this process ----------===//

#ifndef WARPO_LIB_ENGINE_RECORDSESSION_H
#define WARPO_LIB_ENGINE_RECORDSESSION_H

#include "warpo/Engine/Engine.h"
#include "warpo/Recorder/warpo_recorder.h"
#include <chrono>

namespace warpo {

/// Owns the recorder of a run.
class RecordSession {
public:
  /// Opens the record; an error if it cannot be written. Without a target nothing is recorded.
  static llvm::Expected<std::unique_ptr<RecordSession>> open(const RecordTarget &target);
  RecordSession(const RecordSession &) = delete;
  RecordSession &operator=(const RecordSession &) = delete;
  ~RecordSession() { warpo_recorder_free(recorder_); }

  /// A stream for a module; the session closes it. Null if nothing is recorded.
  warpo_stream *openStream(uint64_t module) { return warpo_stream_open(recorder_, module); }
  /// Writes all that was recorded and says in `result` what became of it, and the clock's rate.
  void finish(RunResult &result);

private:
  /// The recorder's clock beside the system's, at nearly the same moment.
  struct ClockPair {
    static ClockPair now();
    uint64_t counts;
    std::chrono::steady_clock::time_point time;
  };

  RecordSession() = default;
  warpo_recorder *recorder_ = nullptr;
  ClockPair start_ = ClockPair::now();
};

} // namespace warpo

#endif
