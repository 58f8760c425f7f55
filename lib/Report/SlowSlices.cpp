//===- SlowSlices.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/SlowSlices.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

static bool isSlower(const SlowSlice &a, const SlowSlice &b) {
  return a.duration() != b.duration() ? a.duration() > b.duration() : a.number < b.number;
}

std::vector<FunctionIndex> SlowSlices::hottestPath(ArrayRef<Context> contexts) {
  std::vector<uint64_t> inclusive(contexts.size());
  std::vector<uint32_t> hottest(contexts.size());
  // Callees come after their callers.
  for (size_t i = contexts.size(); i-- > 1;) {
    inclusive[i] = SaturatingAdd(inclusive[i], contexts[i].self);
    uint32_t parent = contexts[i].parent;
    inclusive[parent] = SaturatingAdd(inclusive[parent], inclusive[i]);
    if (hottest[parent] == 0 || inclusive[i] >= inclusive[hottest[parent]])
      hottest[parent] = uint32_t(i);
  }
  std::vector<FunctionIndex> path;
  for (uint32_t at = hottest[0]; at != 0; at = hottest[at]) {
    path.push_back(contexts[at].function);
    if (hottest[at] == 0 || inclusive[hottest[at]] <= contexts[at].self)
      break;
  }
  return path;
}

void SlowSlices::begin(Stream &stream, const Event &event, bool ran) {
  uint64_t waited = stream.suspension.waited().time;
  if (stream.depth++ == 0) {
    stream.contexts.push_back({0, noFunction, 0});
    bool isRecording = functions_.hasRecordings() && functions_.isRecording(event.function);
    stream.slice.number = isRecording ? 0 : ++slices_;
    stream.slice.begin = event.time;
    stream.slice.calls = 0;
    stream.slice.outermost = event.function;
    stream.waitedBefore = waited;
    stream.recordingBefore = stream.suspension.recording();
  } else {
    stream.contexts[stream.current].self += event.time - waited - stream.lastTime;
  }
  stream.lastTime = event.time - waited;
  if (!ran)
    return;
  ++stream.slice.calls;
  auto [known, isNew] = stream.children.try_emplace({stream.current, event.function},
                                                    uint32_t(stream.contexts.size()));
  if (isNew)
    stream.contexts.push_back({stream.current, event.function, 0});
  stream.current = known->second;
}

void SlowSlices::end(Stream &stream, const Event &event, bool ran) {
  uint64_t now = event.time - stream.suspension.waited().time;
  stream.contexts[stream.current].self += now - stream.lastTime;
  stream.lastTime = now;
  if (ran)
    stream.current = stream.contexts[stream.current].parent;
  if (--stream.depth == 0)
    finish(stream, event.time);
}

void SlowSlices::finish(Stream &stream, uint64_t time) {
  stream.slice.end = time;
  stream.slice.recording = stream.suspension.recording() - stream.recordingBefore;
  stream.slice.suspended =
      stream.suspension.waited().time - stream.waitedBefore - stream.slice.recording;
  bool hasRoom = slowest_.size() < wanted_;
  // Neither time of the recorder nor a suspension without a known call is a call.
  bool isCall = stream.slice.number > 0 && stream.slice.calls > 0;
  if (isCall && wanted_ > 0 && (hasRoom || isSlower(stream.slice, slowest_.front()))) {
    if (!hasRoom) {
      std::pop_heap(slowest_.begin(), slowest_.end(), isSlower);
      slowest_.pop_back();
    }
    slowest_.push_back(stream.slice);
    slowest_.back().hottestPath = hottestPath(stream.contexts);
    std::push_heap(slowest_.begin(), slowest_.end(), isSlower);
  }
  stream.contexts.clear();
  stream.children.clear();
}

Error SlowSlices::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  stream.slice.stream = batch.stream;
  bool leavesOut = leavesOutSuspensions_ && functions_.hasSuspensions();
  for (const Event &event : batch.events) {
    bool ran = !leavesOut || stream.suspension.take(functions_, event);
    event.kind == EventKind::begin ? begin(stream, event, ran) : end(stream, event, ran);
  }
  return Error::success();
}

std::vector<SlowSlice> SlowSlices::take() {
  llvm::sort(slowest_, isSlower);
  return std::move(slowest_);
}
