//===- WindowRoots.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/WindowRoots.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

// Limits, as a call may last for years and a window a nanosecond.
static constexpr size_t maxWindows = 100'000;
static constexpr uint64_t maxCutCalls = 100'000'000;
/// The size from which on events are passed on.
static constexpr size_t batchEvents = 1 << 16;

uint64_t UtcWindows::utc(uint64_t count) const {
  if (count >= origin_)
    return SaturatingAdd(wall_, scale_.toNanoseconds(count - origin_));
  return wall_ - std::min(wall_, scale_.toNanoseconds(origin_ - count));
}

uint64_t UtcWindows::firstCountAt(uint64_t utc) const {
  if (utc >= wall_)
    return SaturatingAdd(origin_, scale_.toCounts(utc - wall_));
  // The earliest count that is at most that long before `wall_`.
  uint64_t before = scale_.toCounts(wall_ - utc + 1) - 1;
  return origin_ - std::min(origin_, before);
}

UtcWindows::Window UtcWindows::at(uint64_t count) const {
  uint64_t time = utc(count);
  uint64_t begin = time - time % length_;
  uint64_t end = SaturatingAdd(begin, length_);
  // What was before 1970 is in the first window.
  return {begin, begin == 0 ? 0 : firstCountAt(begin),
          end == UINT64_MAX ? UINT64_MAX : firstCountAt(end)};
}

// Most times are in the same window as the one before.
const UtcWindows::Window &WindowRoots::windowAt(uint64_t time) {
  if (time < window_.start || time >= window_.end)
    window_ = windows_.at(time);
  return window_;
}

Expected<FunctionIndex> WindowRoots::frameOf(const UtcWindows::Window &window) {
  if (lastFrame_ != noFunction && window.begin == lastWindow_)
    return lastFrame_;
  size_t known = functions_.size();
  lastFrame_ = functions_.pseudoFunction(std::to_string(window.begin));
  lastWindow_ = window.begin;
  windowCount_ += functions_.size() > known;
  if (windowCount_ > maxWindows)
    return makeError("more than " + Twine(maxWindows) + " windows of time");
  return lastFrame_;
}

Error WindowRoots::enter(Stream &stream, uint64_t time) {
  stream.window = windowAt(time);
  auto frame = frameOf(stream.window);
  if (!frame)
    return frame.takeError();
  stream.frame = *frame;
  made_.append(Event{time, stream.frame, EventKind::begin}, stream.counts);
  return Error::success();
}

Error WindowRoots::cross(Stream &stream, StreamIndex index) {
  cutCalls_ += stream.open.size();
  if (cutCalls_ > maxCutCalls)
    return makeError("more than " + Twine(maxCutCalls) + " open calls at the ends of windows");
  uint64_t end = stream.window.end;
  for (FunctionIndex function : reverse(stream.open))
    made_.append(Event{end, function, EventKind::endOpen}, stream.counts);
  made_.append(Event{end, stream.frame, EventKind::endOpen}, stream.counts);
  if (Error error = enter(stream, end))
    return error;
  for (FunctionIndex function : stream.open)
    made_.append(Event{end, function, EventKind::begin}, stream.counts);
  if (made_.size() < batchEvents)
    return Error::success();
  Error error = next_.events(made_.batch(index));
  made_.clear();
  return error;
}

Error WindowRoots::take(Stream &stream, StreamIndex index, const Event &event,
                        const Counts &counts) {
  bool begins = event.kind == EventKind::begin;
  if (!stream.open.empty())
    while (begins ? event.time >= stream.window.end : event.time > stream.window.end)
      if (Error error = cross(stream, index))
        return error;
  stream.counts = counts;
  if (stream.open.empty())
    if (Error error = enter(stream, event.time))
      return error;
  made_.append(event, counts);
  if (begins) {
    stream.open.push_back(event.function);
    return Error::success();
  }
  stream.open.pop_back();
  if (stream.open.empty())
    made_.append(Event{event.time, stream.frame, event.kind}, counts);
  return Error::success();
}

Error WindowRoots::take(Stream &stream, StreamIndex index, const LostRange &range) {
  bool fromHost = stream.open.empty();
  if (fromHost) {
    stream.counts = maxOf(stream.counts, range.countsFrom);
    if (Error error = enter(stream, range.from))
      return error;
  }
  LostRange rest = range;
  while (range.to > stream.window.end) {
    LostRange piece = rest;
    piece.to = stream.window.end;
    piece.countsTo = rest.countsFrom;
    if (piece.from < piece.to)
      made_.append(piece);
    if (Error error = cross(stream, index))
      return error;
    rest.from = std::max(rest.from, piece.to);
  }
  made_.append(rest);
  stream.counts = maxOf(stream.counts, range.countsTo);
  if (fromHost)
    made_.append(Event{range.to, stream.frame, EventKind::endReturned}, stream.counts);
  return Error::success();
}

Error WindowRoots::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  for (const CountColumns::Column &column : batch.counts)
    if (stream.columns.insert(column.index))
      stream.counts[column.index] = column.values[0];
  made_.start(stream.columns);
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) -> Error {
    for (const LostRange &range : takeUpTo(lost, position))
      if (Error error = take(stream, batch.stream, range))
        return error;
    return Error::success();
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    if (Error error = takeLosses(i))
      return error;
    if (Error error =
            take(stream, batch.stream, batch.events[i], batch.counts.at(i, stream.counts)))
      return error;
  }
  if (Error error = takeLosses(batch.events.size()))
    return error;
  EventBatch made = made_.batch(batch.stream);
  return made.empty() ? Error::success() : next_.events(made);
}

Error WindowRoots::add(ArrayRef<StackSample> samples, SampleTree &tree, FunctionIndex inner) {
  while (!samples.empty()) {
    const UtcWindows::Window &window = windowAt(samples.front().time);
    ArrayRef<StackSample> together = samples.take_while([&](const StackSample &sample) {
      return sample.time >= window.start && sample.time < window.end;
    });
    samples = samples.drop_front(together.size());
    auto frame = frameOf(window);
    if (!frame)
      return frame.takeError();
    tree.add(together, {*frame, inner});
  }
  return Error::success();
}
