//===- EventWindow.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/EventWindow.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

bool EventWindow::done() const {
  if (limits_.maxSlices && seenSlicesEnded_ >= limits_.maxSlices)
    return true;
  if (limits_.lastSlice) {
    uint64_t first = limits_.firstSlice.value_or(1);
    uint64_t wanted = *limits_.lastSlice < first ? 0 : *limits_.lastSlice - first + 1;
    if (wantedSlicesEnded_ >= wanted)
      return true;
  }
  return next_.done();
}

bool EventWindow::isRecording(const Event &event) const {
  return functions_ && functions_->hasRecordings() && functions_->isRecording(event.function);
}

bool EventWindow::sliceIsWanted(const Stream &stream) const {
  return stream.slice >= limits_.firstSlice.value_or(0) &&
         stream.slice <= limits_.lastSlice.value_or(UINT64_MAX);
}

void EventWindow::beginOpenCalls(Stream &stream, uint64_t time) {
  for (; stream.begun < stream.open.size(); ++stream.begun)
    made_.append(Event{time, stream.open[stream.begun], EventKind::begin}, stream.counts);
}

void EventWindow::endOpenCalls(Stream &stream, EventKind kind, uint64_t time,
                               const Counts &counts) {
  for (; stream.begun > 0; --stream.begun)
    made_.append(Event{time, stream.open[stream.begun - 1], kind}, counts);
}

void EventWindow::leave(Stream &stream) {
  stream.left = true;
  // A call that spans the whole window has no event within it.
  if (limits_.from && sliceIsWanted(stream))
    beginOpenCalls(stream, *limits_.from);
  endOpenCalls(stream, EventKind::endOpen, *limits_.to, stream.counts);
}

void EventWindow::take(Stream &stream, const Event &event, const Counts &counts) {
  bool begins = event.kind == EventKind::begin;
  if (begins && stream.open.empty()) {
    stream.slice = isRecording(event) ? 0 : ++slicesBegun_;
    stream.sliceIsSeen = false;
  }
  if (limits_.to && event.time > *limits_.to && !stream.left)
    leave(stream);
  bool inside =
      !stream.left && sliceIsWanted(stream) && (!limits_.from || event.time >= *limits_.from);
  if (inside) {
    if (event.time == limits_.from)
      stream.counts = counts;
    beginOpenCalls(stream, limits_.from.value_or(event.time));
    made_.append(event, counts);
    stream.lastTime = event.time;
    stream.lastCounts = counts;
    stream.sliceIsSeen = true;
  }
  stream.counts = counts;
  if (begins) {
    stream.open.push_back(event.function);
    stream.begun += inside;
    return;
  }
  stream.open.pop_back();
  stream.begun = std::min(stream.begun, stream.open.size());
  if (stream.open.empty() && stream.slice != 0) {
    seenSlicesEnded_ += stream.sliceIsSeen;
    wantedSlicesEnded_ += sliceIsWanted(stream);
  }
}

void EventWindow::take(Stream &stream, const LostRange &range) {
  LostRange kept = range;
  kept.from = std::max(range.from, limits_.from.value_or(0));
  kept.to = std::min(range.to, limits_.to.value_or(UINT64_MAX));
  if (kept.to < range.to)
    kept.countsTo = range.countsFrom;
  bool bySlice = limits_.firstSlice || limits_.lastSlice;
  if (stream.left || kept.from > kept.to ||
      (bySlice && (stream.open.empty() || !sliceIsWanted(stream))))
    return;
  beginOpenCalls(stream, limits_.from.value_or(kept.from));
  stream.lastTime = kept.to;
  stream.lastCounts = stream.counts = kept.countsTo;
  made_.append(kept);
}

void EventWindow::setStart(uint64_t time) {
  limits_.start = limits_.start.value_or(time);
  for (std::optional<uint64_t> *limit : {&limits_.from, &limits_.to})
    if (*limit)
      **limit = SaturatingAdd(**limit, *limits_.start);
  started_ = true;
}

Error EventWindow::events(const EventBatch &batch) {
  if (!started_)
    setStart(!batch.lost.empty() && batch.lost.front().position == 0 ? batch.lost.front().from
                                                                     : batch.events.front().time);
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  for (const CountColumns::Column &column : batch.counts)
    if (stream.columns.insert(column.index))
      stream.counts[column.index] = column.values[0];
  made_.start(stream.columns);
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i < batch.events.size() && !done(); ++i) {
    for (const LostRange &range : takeUpTo(lost, i))
      take(stream, range);
    take(stream, batch.events[i], batch.counts.at(i, stream.counts));
  }
  if (!done())
    for (const LostRange &range : lost)
      take(stream, range);
  return passOn(batch.stream);
}

Error EventWindow::beside(const SideBatch &batch) {
  if (!started_)
    setStart(*batch.entries.begin());
  uint64_t from = limits_.from.value_or(0);
  uint64_t to = limits_.to.value_or(UINT64_MAX);
  beside_.assign(batch.entries,
                 [&](const auto &entry) { return entry.time >= from && entry.time <= to; });
  if (limits_.firstSlice || limits_.lastSlice) {
    ofNoSlice_.add(SideEntries(beside_));
    return Error::success();
  }
  return beside_.empty() ? Error::success() : next_.beside({batch.stream, beside_});
}

Error EventWindow::passOn(StreamIndex stream) {
  EventBatch kept = made_.batch(stream);
  return kept.empty() ? Error::success() : next_.events(kept);
}

// Calls that are open here were cut off, since reading stopped.
Error EventWindow::finish() {
  uint64_t lastTime = 0;
  for (const Stream &stream : streams_)
    lastTime = std::max(lastTime, stream.lastTime);
  for (size_t i = 0; i < streams_.size(); ++i) {
    made_.start(streams_[i].columns);
    cutCalls_ += streams_[i].begun;
    endOpenCalls(streams_[i], EventKind::endCut, lastTime, streams_[i].lastCounts);
    if (Error error = passOn(StreamIndex(i)))
      return error;
  }
  return next_.finish();
}
