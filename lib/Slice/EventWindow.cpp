//===- EventWindow.cpp ----------------------------------------------------===//

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

bool EventWindow::sliceIsWanted(const Stream &stream) const {
  return stream.slice >= limits_.firstSlice.value_or(0) &&
         stream.slice <= limits_.lastSlice.value_or(UINT64_MAX);
}

void EventWindow::beginOpenCalls(Stream &stream, uint64_t time) {
  for (; stream.begun < stream.open.size(); ++stream.begun)
    append({time, stream.open[stream.begun], EventKind::begin}, stream.fuel);
}

void EventWindow::endOpenCalls(Stream &stream, uint64_t time, uint64_t fuel) {
  for (; stream.begun > 0; --stream.begun)
    append({time, stream.open[stream.begun - 1], EventKind::endOpen}, fuel);
}

void EventWindow::leave(Stream &stream) {
  stream.left = true;
  // A call that spans the whole window has no event in it.
  if (limits_.from && sliceIsWanted(stream))
    beginOpenCalls(stream, *limits_.from);
  endOpenCalls(stream, *limits_.to, stream.fuel);
}

void EventWindow::take(Stream &stream, const Event &event, uint64_t fuel) {
  bool begins = event.kind == EventKind::begin;
  if (begins && stream.open.empty()) {
    stream.slice = ++slicesBegun_;
    stream.sliceIsSeen = false;
  }
  if (limits_.to && event.time > *limits_.to && !stream.left)
    leave(stream);
  bool inside =
      !stream.left && sliceIsWanted(stream) && (!limits_.from || event.time >= *limits_.from);
  if (inside) {
    if (event.time == limits_.from)
      stream.fuel = fuel;
    beginOpenCalls(stream, limits_.from.value_or(event.time));
    append(event, fuel);
    stream.lastTime = event.time;
    stream.lastFuel = fuel;
    stream.sliceIsSeen = true;
  }
  stream.fuel = fuel;
  if (begins) {
    stream.open.push_back(event.function);
    stream.begun += inside;
    return;
  }
  stream.open.pop_back();
  stream.begun = std::min(stream.begun, stream.open.size());
  if (stream.open.empty()) {
    seenSlicesEnded_ += stream.sliceIsSeen;
    wantedSlicesEnded_ += sliceIsWanted(stream);
  }
}

void EventWindow::take(Stream &stream, const LostRange &range) {
  LostRange kept = range;
  kept.from = std::max(range.from, limits_.from.value_or(0));
  kept.to = std::min(range.to, limits_.to.value_or(UINT64_MAX));
  if (kept.to < range.to)
    kept.fuelTo = range.fuelFrom;
  bool bySlice = limits_.firstSlice || limits_.lastSlice;
  if (stream.left || kept.from > kept.to ||
      (bySlice && (stream.open.empty() || !sliceIsWanted(stream))))
    return;
  beginOpenCalls(stream, limits_.from.value_or(kept.from));
  stream.lastTime = kept.to;
  stream.lastFuel = stream.fuel = kept.fuelTo;
  kept.position = uint32_t(events_.size());
  lost_.push_back(kept);
}

void EventWindow::setStart(uint64_t time) {
  uint64_t start = limits_.start.value_or(time);
  for (std::optional<uint64_t> *limit : {&limits_.from, &limits_.to})
    if (*limit)
      **limit = SaturatingAdd(**limit, start);
  started_ = true;
}

Error EventWindow::events(const EventBatch &batch) {
  if (!started_)
    setStart(!batch.lost.empty() && batch.lost.front().position == 0 ? batch.lost.front().from
                                                                     : batch.events.front().time);
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  clear();
  if (!batch.fuel.empty() && !stream.hasFuel) {
    stream.hasFuel = true;
    stream.fuel = batch.fuel.front();
  }
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i < batch.events.size() && !done(); ++i) {
    for (const LostRange &range : takeUpTo(lost, i))
      take(stream, range);
    take(stream, batch.events[i], batch.fuel.empty() ? stream.fuel : batch.fuel[i]);
  }
  if (!done())
    for (const LostRange &range : lost)
      take(stream, range);
  return passOn(batch.stream);
}

Error EventWindow::samples(const SampleBatch &batch) {
  if (!started_)
    setStart(batch.samples.front().time - batch.samples.front().timeSince);
  if (limits_.firstSlice || limits_.lastSlice)
    return Error::success();
  samples_.clear();
  for (const StackSample &sample : batch.samples)
    if (sample.time >= limits_.from.value_or(0) && sample.time <= limits_.to.value_or(UINT64_MAX))
      samples_.push_back(sample);
  return samples_.empty() ? Error::success() : next_.samples({batch.stream, samples_});
}

void EventWindow::clear() {
  events_.clear();
  lost_.clear();
  fuel_.clear();
}

Error EventWindow::passOn(StreamIndex stream) {
  ArrayRef<uint64_t> fuel = fuel_;
  EventBatch kept{stream, events_, lost_, streams_[stream].hasFuel ? fuel : fuel.take_front(0)};
  return kept.empty() ? Error::success() : next_.events(kept);
}

Error EventWindow::finish() {
  for (size_t i = 0; i < streams_.size(); ++i) {
    clear();
    endOpenCalls(streams_[i], streams_[i].lastTime, streams_[i].lastFuel);
    if (Error error = passOn(StreamIndex(i)))
      return error;
  }
  return next_.finish();
}
