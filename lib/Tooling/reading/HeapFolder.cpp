//===- HeapFolder.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapFolder.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

HeapFolder::HeapFolder(RecordInput &input, const ReadingOptions &options, StringRef at)
    : input_(input), options_(options), at_(at.empty() ? "end" : at.str()),
      order_([this](StreamIndex stream, ArrayRef<HeapEvent> events) { analyse(stream, events); }) {}

void HeapFolder::analyse(StreamIndex stream, ArrayRef<HeapEvent> events) {
  uint64_t interval = input_.reader().header().streams[stream].heapInterval;
  if (moment_ && moment_->stream == stream) {
    uint64_t before = std::exchange(analysed_[stream], analysed_[stream] + events.size());
    if (before <= moment_->number && moment_->number < analysed_[stream]) {
      size_t upToMoment = size_t(moment_->number - before) + 1;
      analysis_->add(stream, interval, events.take_front(upToMoment));
      analysis_->noteMoment();
      events = events.drop_front(upToMoment);
    }
  }
  analysis_->add(stream, interval, events);
}

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
  if (isNamed())
    noteStacks(stream, events);
  return order_.add(stream, events);
}

void HeapFolder::noteStacks(StreamIndex stream, ArrayRef<HeapEvent> events) {
  if (added_.size() <= stream)
    added_.resize(stream + 1);
  for (const HeapEvent &event : events) {
    if (lastOf_.size() <= event.stack)
      lastOf_.resize(std::max<size_t>(event.stack + 1, lastOf_.size() * 2));
    Place place{event.time, stream, added_[stream]++};
    lastOf_[event.stack] = std::max(lastOf_[event.stack], std::optional(place));
  }
}

bool HeapFolder::isNamed() const { return inUse() == InUse::atTime && !isDigit(at_.front()); }

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

Expected<std::optional<uint64_t>> HeapFolder::timeAt() const {
  if (!isNamed()) {
    auto since = parseTime(at_, input_.scale(), "at");
    if (!since)
      return since.takeError();
    return SaturatingAdd(firstTime_, *since);
  }
  for (const RecordedPhase &phase : input_.reader().header().phases)
    if (phase.name == at_)
      return phase.end;
  if (lastInSection())
    return std::nullopt;
  return makeError(
      "--at=" + at_ + ": " + input_.title() +
      " has no such phase, and no heap event in such a section (known: " + knownMoments() + ")");
}

std::optional<HeapFolder::Place> HeapFolder::lastInSection() const {
  const FunctionTable &functions = input_.functions();
  ArrayRef<ResolvedStack> stacks = functions.stacks();
  std::vector<bool> isIn(stacks.size());
  std::optional<Place> last;
  for (size_t stack = 1; stack < std::min(stacks.size(), lastOf_.size()); ++stack) {
    const Function &function = functions[stacks[stack].function];
    isIn[stack] = isIn[stacks[stack].parent] || (isSection(function.id) && function.name == at_);
    if (isIn[stack])
      last = std::max(last, lastOf_[stack]);
  }
  return last;
}

std::string HeapFolder::knownMoments() const {
  std::string known = "end, peak, a time";
  for (const RecordedPhase &phase : input_.reader().header().phases)
    known += ", " + phase.name;
  const FunctionTable &functions = input_.functions();
  std::set<StringRef> sections;
  ArrayRef<ResolvedStack> stacks = functions.stacks();
  for (const ResolvedStack &stack : stacks.drop_front(std::min<size_t>(1, stacks.size())))
    if (isSection(functions[stack.function].id))
      sections.insert(functions[stack.function].name);
  for (StringRef section : sections)
    known += ", " + section.str();
  return known;
}

/// By stack, the first one with the same frames.
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
    if (*time)
      options.at = **time;
    else
      moment_ = lastInSection();
    analysed_.resize(added_.size());
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
