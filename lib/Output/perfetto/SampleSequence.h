//===- SampleSequence.h - A stream's samples as PerfSample packets --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Samples and events of a stream are not ordered by time among each other, but a sequence of
// packets has one clock: samples get a separate sequence, and a thread that Perfetto shows them
// under. Stacks and their frames are written once per restart of the sequence's state. Weights are
// perf counters with the sums up to each sample.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PERFETTO_SAMPLESEQUENCE_H
#define WARPO_OUTPUT_PERFETTO_SAMPLESEQUENCE_H

#include "warpo/Output/TimelineBackend.h"
#include "warpo/Slice/StackLimit.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <unordered_map>
#include <vector>

namespace warpo::perfetto {

class SampleSequence {
public:
  /// `info` and `limit` must outlive the sequence. `number` is unique among all sequences of the
  /// trace.
  SampleSequence(const TimelineInfo &info, StackLimit &limit, StreamIndex stream, uint32_t number)
      : info_(info), limit_(limit), stream_(stream), number_(number) {}

  uint32_t number() const { return number_; }

  /// The packets that clear the state, set defaults and set the clock to `nanoseconds`, and the
  /// thread of the process `process`, with the track `threadUuid`.
  std::string start(uint64_t nanoseconds, uint32_t process, uint64_t threadUuid);

  /// The packet of a sample, including definitions of all it uses for the first time since start().
  /// Samples must be in the order of time; one from before the start gets the start's time.
  std::string write(const StackSample &sample);
  /// Whether the last packet contained definitions.
  bool hasGrown() const { return hasGrown_; }
  /// The number of samples whose stacks were cut.
  uint64_t tooDeep() const { return tooDeep_; }

private:
  /// Never the process's number, which would make it the main thread.
  uint32_t thread() const { return process_ + 1 + stream_; }
  uint64_t callstackOf(uint32_t stack, class InternedData &added);
  uint64_t frameOf(FunctionIndex function, class InternedData &added);
  /// 0 for a function without a module.
  uint64_t mappingOf(const Function &function, class InternedData &added);

  const TimelineInfo &info_;
  StackLimit &limit_;
  StreamIndex stream_;
  uint32_t number_;
  uint32_t process_ = 0;
  bool isFirst_ = true;
  bool hasGrown_ = false;
  uint64_t lastTime_ = 0;
  uint64_t timeSum_ = 0;
  Counts sums_ = {};
  uint64_t tooDeep_ = 0;
  // Numbers, from 1 on, of the definitions written since the start.
  std::unordered_map<uint64_t, uint64_t> callstacks_;
  std::unordered_map<FunctionIndex, uint64_t> frames_;
  std::unordered_map<uint32_t, uint64_t> mappings_;
  llvm::StringMap<uint64_t> paths_;
};

} // namespace warpo::perfetto

#endif
