//===- HeapFolder.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapFolder.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

HeapFolder::HeapFolder(RecordInput &input, const ReadingOptions &options, StringRef at)
    : input_(input), options_(options), at_(at.empty() ? "end" : at.str()),
      order_([this](StreamIndex stream, ArrayRef<HeapEvent> events) {
        analysis_->add(stream, input_.reader().header().streams[stream].heapInterval, events);
      }) {}

Error HeapFolder::lookAhead() {
  auto isKnown = input_.reader().declareAhead();
  if (!isKnown)
    return isKnown.takeError();
  if (!*isKnown || input_.reader().header().streams.size() != 1)
    return Error::success();
  analysis_.emplace(HeapAnalysis::Options{.beganLate = beganLate()});
  order_.expectOneStream();
  return Error::success();
}

Error HeapFolder::add(StreamIndex stream, ArrayRef<HeapEvent> events) {
  if (events.empty())
    return Error::success();
  events_ += events.size();
  intervals_.insert(input_.reader().header().streams[stream].heapInterval);
  firstTime_ = std::min(firstTime_, events.front().time);
  lastTime_ = std::max(lastTime_, events.back().time);
  return order_.add(stream, events);
}

InUse HeapFolder::inUse() const {
  return beganLate()     ? InUse::unknown
         : at_ == "end"  ? InUse::atEnd
         : at_ == "peak" ? InUse::atPeak
                         : InUse::atTime;
}

std::optional<uint64_t> HeapFolder::interval() const {
  if (intervals_.size() != 1 || *intervals_.begin() == 0)
    return std::nullopt;
  return *intervals_.begin();
}

Expected<uint64_t> HeapFolder::timeAt() const {
  if (isDigit(at_.front())) {
    auto since = parseTime(at_, input_.scale(), "at");
    if (!since)
      return since;
    return SaturatingAdd(firstTime_, *since);
  }
  std::string known;
  for (const RecordedPhase &phase : input_.reader().header().phases) {
    if (phase.name == at_)
      return phase.end;
    known += ", " + phase.name;
  }
  return makeError("--at=" + at_ + ": " + input_.title() +
                   " has no such phase (known: end, peak, a time" + known + ")");
}

/// Of each stack the first one with the same frames.
static std::vector<uint32_t> sameStacks(ArrayRef<RecordedStack> stacks) {
  using Frame = std::tuple<uint32_t, uint64_t, uint32_t, uint32_t, StringRef>;
  DenseMap<Frame, uint32_t> first;
  std::vector<uint32_t> same = {0};
  for (const auto &[index, stack] : llvm::drop_begin(enumerate(stacks))) {
    Frame frame(same[stack.parent], stack.moduleId, uint32_t(stack.id), stack.offset, stack.text);
    same.push_back(first.try_emplace(frame, uint32_t(index)).first->second);
  }
  return same;
}

Error HeapFolder::finish() {
  HeapAnalysis::Options options{.beganLate = beganLate()};
  if (inUse() == InUse::atTime) {
    auto time = timeAt();
    if (!time)
      return time.takeError();
    options.at = *time;
  }
  if (!analysis_)
    analysis_.emplace(options);
  if (Error error = order_.finish())
    return error;
  const RecordHeader &header = input_.reader().header();
  analysis_->finish(lastTime_, header.streams.size() > 1 ? sameStacks(header.stacks)
                                                         : std::vector<uint32_t>());
  return Error::success();
}
