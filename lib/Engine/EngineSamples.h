//===- EngineSamples.h - What an engine samples by itself, recorded -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_ENGINESAMPLES_H
#define WARPO_LIB_ENGINE_ENGINESAMPLES_H

#include "RecordSession.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace warpo::wasm {
class FunctionNames;
}

namespace warpo {

/// Records the samples that an engine takes of a program as it is. A sample's time is what its
/// thread has had of a processor since the sample before: what it waited for meanwhile becomes
/// samples with the stack `(idle)`, and samples lie up to 10 ms before their time until then.
///
/// One thread at a time may use it. A function's name goes into the record where it is first seen.
class EngineSamples {
public:
  /// A function of a module, by its index; imported ones are functions of the host.
  struct Frame {
    const ProgramUnit *unit;
    uint32_t function;
  };

  /// `session` must outlive it, and the units of all frames; `stream` becomes its own.
  EngineSamples(RecordSession &session, warpo_sample_stream *stream);
  EngineSamples(const EngineSamples &) = delete;
  EngineSamples &operator=(const EngineSamples &) = delete;
  ~EngineSamples();

  /// At `time`, in nanoseconds of CLOCK_MONOTONIC, the thread has had `cpuTime` nanoseconds since
  /// it began, which was after this object did. Outermost frame first; without frames the thread
  /// was not in the program. `isCut`: there are more around these.
  void add(uint64_t time, uint64_t cpuTime, llvm::ArrayRef<Frame> frames, bool isCut);
  /// So many samples could not be kept.
  void lose(uint64_t count) { lost_ += count; }
  uint64_t lost() const { return lost_; }
  /// Functions that a reader of the record will know by numbers alone; the same text as Node's.
  std::vector<std::string> problems() const;

private:
  void addIdle();
  void record(const char *text);
  int32_t idOf(const Frame &frame);

  RecordSession &session_;
  warpo_sample_stream *stream_;
  uint64_t lastTime_;
  uint64_t lastCpuTime_ = 0;
  /// Of the last sample in the record.
  uint64_t recordedTime_;
  /// Waited since then; below 0 where one clock runs ahead of the other.
  int64_t idle_ = 0;
  uint64_t lost_ = 0;
  std::vector<warpo_sample_frame> frames_;
  llvm::DenseMap<const ProgramUnit *, std::unique_ptr<wasm::FunctionNames>> names_;
  llvm::DenseSet<std::pair<uint64_t, uint32_t>> named_;
  /// How many functions of a unit have been sampled that have no name.
  llvm::MapVector<const ProgramUnit *, uint64_t> nameless_;
};

} // namespace warpo

#endif
