//===- OverlapFinder.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/OverlapFinder.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace warpo;

void OverlapFinder::adoptStreams() {
  while (streams_.size() < header_.streams.size()) {
    const StreamInfo &info = header_.streams[streams_.size()];
    streams_.emplace_back();
    // Without time, each module has its own clock.
    if (info.stack || !header_.hasTime())
      continue;
    streams_.back().thread = &threads_[{info.record, info.thread}];
    ++streams_.back().thread->streams;
  }
}

void OverlapFinder::compare(Thread &thread, const Call &call) {
  auto check = [&](const Call &other) {
    if (other.stream != call.stream && other.begin < call.end && call.begin < other.end)
      overlap_ = {std::min(call.stream, other.stream), std::max(call.stream, other.stream)};
  };
  auto next = thread.calls.upper_bound(call.begin);
  if (next != thread.calls.end())
    check(next->second);
  if (next != thread.calls.begin())
    check(std::prev(next)->second);
  auto [known, isNew] = thread.calls.try_emplace(call.begin, call);
  if (!isNew && known->second.end < call.end)
    known->second = call;
  if (thread.calls.size() > maxKept)
    thread.calls.erase(thread.calls.begin());
}

// Most records have one stream, for which each call only costs a store.
void OverlapFinder::add(Thread &thread, const Call &call) {
  if (!thread.calls.empty())
    return compare(thread, call);
  if (!thread.recent.empty() && thread.recent.front().stream != call.stream) {
    for (const Call &known : thread.recent)
      compare(thread, known);
    thread.recent.clear();
    return compare(thread, call);
  }
  if (thread.recent.size() < maxKept) {
    thread.recent.push_back(call);
    return;
  }
  thread.recent[thread.oldest] = call;
  thread.oldest = (thread.oldest + 1) % maxKept;
}

void OverlapFinder::watch(StreamIndex index, ArrayRef<Event> events, size_t depth) {
  adoptStreams();
  Stream &stream = streams_[index];
  if (!stream.thread)
    return;
  uint64_t before = std::exchange(stream.lastTime, events.back().time);
  lastTime_ = std::max(lastTime_, stream.lastTime);
  stream.isWatched &= stream.thread->streams > 1 || stream.events < maxEventsAlone;
  stream.events += events.size();
  if (!stream.isWatched && stream.thread->streams == 1)
    return;
  if (!stream.isWatched) {
    auto begins = size_t(count_if(events, [](const Event &event) { return !isEnd(event.kind); }));
    // A call that is open now was already open at the last skipped event.
    stream.isWatched = true;
    stream.depth = depth + events.size() - 2 * begins;
    stream.begin = before;
  }
  for (const Event &event : events) {
    bool begins = event.kind == EventKind::begin;
    if (begins && stream.depth == 0)
      stream.begin = event.time;
    stream.depth += size_t(begins) * 2 - 1;
    if (stream.depth == 0)
      add(*stream.thread, {stream.begin, event.time, index});
  }
}

// An open call lasts at least until the end. But if the whole record was read and does not end the
// call, it was probably left by a trap.
void OverlapFinder::finish(bool readWhole) {
  for (StreamIndex index = 0; index < streams_.size() && !overlap_; ++index)
    if (const Stream &stream = streams_[index];
        stream.thread && stream.isWatched && stream.depth > 0)
      add(*stream.thread, {stream.begin, readWhole ? stream.lastTime : lastTime_, index});
}
