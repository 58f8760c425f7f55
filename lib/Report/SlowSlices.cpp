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
  // Callees stand behind their callers.
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

void SlowSlices::begin(Stream &stream, const Event &event) {
  if (stream.contexts.empty()) {
    stream.contexts.push_back({0, noFunction, 0});
    stream.slice.number = ++slices_;
    stream.slice.begin = event.time;
    stream.slice.calls = 0;
    stream.slice.outermost = event.function;
  } else {
    stream.contexts[stream.current].self += event.time - stream.lastTime;
  }
  ++stream.slice.calls;
  auto [known, isNew] = stream.children.try_emplace({stream.current, event.function},
                                                    uint32_t(stream.contexts.size()));
  if (isNew)
    stream.contexts.push_back({stream.current, event.function, 0});
  stream.current = known->second;
  stream.lastTime = event.time;
}

void SlowSlices::end(Stream &stream, const Event &event) {
  stream.contexts[stream.current].self += event.time - stream.lastTime;
  stream.lastTime = event.time;
  stream.current = stream.contexts[stream.current].parent;
  if (stream.current != 0)
    return;
  stream.slice.end = event.time;
  bool hasRoom = slowest_.size() < wanted_;
  if (wanted_ > 0 && (hasRoom || isSlower(stream.slice, slowest_.front()))) {
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
  for (const Event &event : batch.events)
    event.kind == EventKind::begin ? begin(stream, event) : end(stream, event);
  return Error::success();
}

std::vector<SlowSlice> SlowSlices::take() {
  llvm::sort(slowest_, isSlower);
  return std::move(slowest_);
}
