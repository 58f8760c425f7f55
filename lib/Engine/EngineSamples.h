//===- EngineSamples.h - Records samples taken by an engine ---------------===//
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

/// Records the samples that an engine takes of an uninstrumented program. The weight of a sample is
/// the processor time of its thread since the previous sample. Time that the thread waited becomes
/// samples with the stack `(idle)`; until these are due, samples are recorded up to 10 ms too
/// early.
///
/// Only one thread at a time may use it. The name of a function is recorded when it is first
/// sampled.
class EngineSamples {
public:
  /// A function of a module, by its index; imported functions belong to the host.
  struct Frame {
    const ProgramUnit *unit;
    uint32_t function;
  };

  /// `session` and the units of all frames must outlive this. Takes ownership of `stream`.
  EngineSamples(RecordSession &session, warpo_sample_stream *stream);
  EngineSamples(const EngineSamples &) = delete;
  EngineSamples &operator=(const EngineSamples &) = delete;
  ~EngineSamples();

  /// Adds a sample at `time`, in nanoseconds of CLOCK_MONOTONIC. `cpuTime` is the thread's
  /// processor time in nanoseconds since it began, which was after this object was created.
  /// Outermost frame first; without frames the thread was outside of the program. `isCut`: outer
  /// frames are missing.
  void add(uint64_t time, uint64_t cpuTime, llvm::ArrayRef<Frame> frames, bool isCut);
  /// Counts samples that were lost.
  void lose(uint64_t count) { lost_ += count; }
  uint64_t lost() const { return lost_; }
  /// A message about functions without names; the same text as in Node.
  std::vector<std::string> problems() const;

private:
  void addIdle();
  void record(const char *text);
  int32_t idOf(const Frame &frame);

  RecordSession &session_;
  warpo_sample_stream *stream_;
  uint64_t lastTime_;
  uint64_t lastCpuTime_ = 0;
  /// The time of the last recorded sample.
  uint64_t recordedTime_;
  /// Waiting time since then; negative if one clock runs ahead of the other.
  int64_t idle_ = 0;
  uint64_t lost_ = 0;
  std::vector<warpo_sample_frame> frames_;
  llvm::DenseMap<const ProgramUnit *, std::unique_ptr<wasm::FunctionNames>> names_;
  llvm::DenseSet<std::pair<uint64_t, uint32_t>> named_;
  /// The number of sampled functions without a name, by unit.
  llvm::MapVector<const ProgramUnit *, uint64_t> nameless_;
};

} // namespace warpo

#endif
