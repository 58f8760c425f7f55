//===- SampleCalls.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/SampleCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

SampleCalls::SampleCalls(const FunctionTable &functions, std::optional<ColumnIndex> column,
                         PhaseFrames *phases, EventSink &next)
    : ForwardingSink(next), functions_(functions), column_(column), phases_(phases) {
  made_.keep(column_.value_or(0), 0);
}

void SampleCalls::append(const Stream &stream, FunctionIndex function, EventKind kind) {
  made_.append(Event{*stream.time, function, kind}, stream.counts);
}

void SampleCalls::closeDownTo(Stream &stream, size_t depth) {
  for (; stream.open.size() > depth; stream.open.pop_back())
    append(stream, stream.open.back(), EventKind::endReturned);
}

void SampleCalls::openPath(Stream &stream, uint32_t stack) {
  ArrayRef<ResolvedStack> stacks = functions_.stacks();
  path_.clear();
  for (uint32_t at = limit_.within(stacks, stack); at != 0; at = stacks[at].parent)
    append_range(path_, reverse(functions_.framesOf(at)));
  std::reverse(path_.begin(), path_.end());
  path_.resize(std::min<size_t>(path_.size(), maxFrames));
  auto common = std::mismatch(path_.begin(), path_.end(), stream.open.begin(), stream.open.end());
  closeDownTo(stream, size_t(common.second - stream.open.begin()));
  for (FunctionIndex within : ArrayRef(path_).drop_front(stream.open.size())) {
    stream.open.push_back(within);
    append(stream, within, EventKind::begin);
  }
}

void SampleCalls::take(Stream &stream, const StackSample &sample) {
  uint64_t start = std::max(sample.begin(), stream.time.value_or(0));
  if (stream.time && start > *stream.time)
    closeDownTo(stream, 0);
  stream.time = start;
  openPath(stream, sample.stack);
  stream.time = std::max(start, sample.time);
  uint64_t &count = stream.counts[column_.value_or(0)];
  count = SaturatingAdd(count, column_ ? sample.countsSince[*column_] : 1);
}

Error SampleCalls::changePhase(StreamIndex index, uint64_t time) {
  Stream &stream = streams_[index];
  uint32_t phase = phases_->phaseAt(index, time);
  if (stream.phase == phase)
    return Error::success();
  stream.phase = phase;
  closeDownTo(stream, 0);
  if (Error error = passOn(index))
    return error;
  phases_->beginIn(index, phase);
  return Error::success();
}

Error SampleCalls::beside(const SideBatch &batch) {
  // The change from one deep stack to another makes many events.
  constexpr size_t atOnce = 4096;
  if (streams_.size() <= batch.stream)
    streams_.resize(batch.stream + 1);
  for (const StackSample &sample : batch.entries.samples) {
    if (phases_)
      if (Error error = changePhase(batch.stream, sample.time))
        return error;
    take(streams_[batch.stream], sample);
    if (made_.size() >= atOnce)
      if (Error error = passOn(batch.stream))
        return error;
  }
  if (Error error = passOn(batch.stream))
    return error;
  SideEntries others = batch.entries.withSamples({});
  return others.empty() ? Error::success() : next_.beside({batch.stream, others});
}

Error SampleCalls::passOn(StreamIndex stream) {
  if (made_.size() == 0)
    return Error::success();
  Error error = next_.events(made_.batch(stream));
  made_.clear();
  return error;
}

Error SampleCalls::finish() {
  for (size_t i = 0; i < streams_.size(); ++i) {
    closeDownTo(streams_[i], 0);
    if (Error error = passOn(StreamIndex(i)))
      return error;
  }
  return next_.finish();
}
