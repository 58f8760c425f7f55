//===- EngineSamples.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EngineSamples.h"
#include "ClockTimes.h"
#include "GuestReading.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/FunctionNames.h"

using namespace llvm;
using namespace warpo;

// The same texts as in V8's profiler, so that records of all engines look alike.
static constexpr char idleText[] = "(idle)";
static constexpr char outsideText[] = "(program)";

/// Shorter waiting is not recorded as a sample: a thread loses its processor now and then.
static constexpr int64_t leastIdle = 10000000;

EngineSamples::EngineSamples(RecordSession &session, warpo_sample_stream *stream)
    : session_(session), stream_(stream), lastTime_(readClock(CLOCK_MONOTONIC)),
      recordedTime_(lastTime_) {}

EngineSamples::~EngineSamples() { warpo_sample_stream_close(stream_); }

int32_t EngineSamples::idOf(const Frame &frame) {
  int32_t id = firstFunctionId + int32_t(frame.function);
  if (named_.insert({frame.unit->id, frame.function}).second) {
    auto &names = names_[frame.unit];
    if (!names)
      names = std::make_unique<wasm::FunctionNames>(frame.unit->module);
    if (names->given(frame.function).empty())
      ++nameless_[frame.unit];
    session_.nameFunction(*frame.unit, id, names->recorded(frame.function));
  }
  return id;
}

std::vector<std::string> EngineSamples::problems() const {
  if (nameless_.empty())
    return {};
  uint64_t count = 0;
  for (const auto &[unit, ofUnit] : nameless_)
    count += ofUnit;
  std::string functions = countOf(count, "sampled function has", "sampled functions have");
  std::string what = nameless_.size() == 1 ? RecordSession::nameOf(*nameless_.front().first) +
                                                 ": " + functions + " no name in the module"
                                           : functions + " no name in their " +
                                                 std::to_string(nameless_.size()) + " modules";
  return {what + ": compile with names (asc --debug; clang -g, linking without -O; wasm-opt -g), "
                 "or give those that were stripped (--symbols)"};
}

/// Records a sample. `text`, if not null, is added as the innermost frame, which has no function.
void EngineSamples::record(const char *text) {
  if (text)
    frames_.push_back({0, 0, text});
  warpo_sample_at(stream_, recordedTime_, 0, frames_.data(), frames_.size());
}

void EngineSamples::addIdle() {
  recordedTime_ += uint64_t(idle_);
  idle_ = 0;
  frames_.clear();
  record(idleText);
}

void EngineSamples::add(uint64_t time, uint64_t cpuTime, ArrayRef<Frame> frames, bool isCut) {
  uint64_t ran = cpuTime - lastCpuTime_;
  idle_ += int64_t(time - lastTime_) - int64_t(ran);
  lastTime_ = time;
  lastCpuTime_ = cpuTime;
  if (idle_ >= leastIdle)
    addIdle();
  recordedTime_ += ran;
  frames_.clear();
  if (isCut)
    frames_.push_back({0, 0, GuestReading::framesLeftOut.data()});
  for (const Frame &frame : frames)
    frames_.push_back({frame.unit->id, idOf(frame), nullptr});
  record(frames_.empty() ? outsideText : nullptr);
}
