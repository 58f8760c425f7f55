//===- SampleSequence.h - Samples of a stream, as Perfetto's PerfSamples --===//
// SPDX-License-Identifier: Apache-2.0
//
// Samples stand beside the events of a stream in no order with them, and a sequence of packets has
// one clock: so they have a sequence of their own, with a thread that Perfetto shows them under.
// What a stack consists of is written once for each restart of the sequence's state. What was spent
// is in counters of perf's kind, which hold the sums up to each sample.
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
  /// What `info` and `limit` refer to must outlive the sequence. `number` is the sequence's among
  /// all of the trace.
  SampleSequence(const TimelineInfo &info, StackLimit &limit, StreamIndex stream, uint32_t number)
      : info_(info), limit_(limit), stream_(stream), number_(number) {}

  uint32_t number() const { return number_; }

  /// Packets with a cleared state, defaults, the clock set to `nanoseconds`, and the thread, which
  /// belongs to the process `process`; `threadUuid` is its track.
  std::string start(uint64_t nanoseconds, uint32_t process, uint64_t threadUuid);

  /// The packet of a sample, with what it is the first to name since start(). Samples come in time
  /// order; one from before the start is given that time.
  std::string write(const StackSample &sample);
  /// Whether the last packet named something for the first time.
  bool hasGrown() const { return hasGrown_; }
  /// Samples of stacks that were cut.
  uint64_t tooDeep() const { return tooDeep_; }

private:
  /// The thread of a process that has its number is the main one: there is none.
  uint32_t thread() const { return process_ + 1 + stream_; }
  uint64_t callstackOf(uint32_t stack, class InternedData &added);
  uint64_t frameOf(FunctionIndex function, class InternedData &added);
  /// 0 for what is in no module.
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
  // The numbers, from 1 on, of what has been written since the start.
  std::unordered_map<uint64_t, uint64_t> callstacks_;
  std::unordered_map<FunctionIndex, uint64_t> frames_;
  std::unordered_map<uint32_t, uint64_t> mappings_;
  llvm::StringMap<uint64_t> paths_;
};

} // namespace warpo::perfetto

#endif
