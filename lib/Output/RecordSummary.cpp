//===- RecordSummary.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/RecordSummary.h"
#include "warpo/Support/DisplayName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

Error RecordSummary::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  uint64_t first = batch.events.empty() ? UINT64_MAX : batch.events.front().time;
  if (!batch.lost.empty()) {
    first = std::min(first, batch.lost.front().from);
    stream.lastTime = std::max(stream.lastTime, batch.lost.back().to);
  }
  if (!stream.firstTime)
    stream.firstTime = first;
  for (const CountColumns::Column &column : batch.counts) {
    MeasureIndex measure = column.index + 1;
    stream.firstCounts[measure] = stream.firstCounts[measure].value_or(column.values[0]);
    stream.lastCounts[measure] = column.values[batch.events.size() - 1];
  }
  count(stream, functions_.hasRecordings() ? calls(stream, batch.events) : batch.events);
  return Error::success();
}

Error RecordSummary::beside(const SideBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  if (std::optional<uint64_t> begin = batch.entries.begin()) {
    stream.firstTime = std::min(stream.firstTime.value_or(UINT64_MAX), *begin);
    stream.lastTime = std::max(stream.lastTime, *batch.entries.lastTime());
  }
  stream.beside.add(batch.entries);
  ArrayRef<StackSample> samples = batch.entries.samples;
  if (samples.empty())
    return Error::success();
  for (std::optional<uint64_t> &first : stream.firstCounts)
    first = first.value_or(0);
  auto add = [&](MeasureIndex measure, uint64_t count) {
    stream.lastCounts[measure] = SaturatingAdd(stream.lastCounts[measure], count);
  };
  for (const StackSample &sample : samples) {
    add(0, sample.timeSince);
    for (ColumnIndex column = 0; column < maxColumns; ++column)
      add(column + 1, sample.countsSince[column]);
  }
  return Error::success();
}

static std::string samplingOf(const StreamInfo &stream) {
  if (stream.sampledBy.empty())
    return "";
  std::string unit = stream.sampledBy == Measure::timeClock ? "ns" : stream.sampledBy;
  return " each " + std::to_string(stream.sampleInterval) + " " + unit;
}

/// Those events that are not the recorder's.
ArrayRef<Event> RecordSummary::calls(Stream &stream, ArrayRef<Event> events) {
  calls_.clear();
  for (const Event &event : events)
    if (!functions_.isRecording(event.function))
      calls_.push_back(event);
    else if (event.kind == EventKind::begin)
      stream.recordingSince = event.time;
    else
      stream.recording += event.time - stream.recordingSince;
  return calls_;
}

// About 1 ns per event: no branch depends on its kind, which is unpredictable.
void RecordSummary::count(Stream &stream, ArrayRef<Event> events) {
  if (events.empty())
    return;
  size_t depth = stream.depth;
  size_t maxDepth = stream.maxDepth;
  uint64_t calls = 0;
  uint64_t slices = 0;
  for (const Event &event : events) {
    bool begins = event.kind == EventKind::begin;
    if (LLVM_UNLIKELY(event.function >= called_.size()))
      called_.resize(size_t(event.function) * 2 + 64);
    called_[event.function] = 1;
    slices += begins & (depth == 0);
    calls += begins;
    depth += size_t(begins) * 2 - 1;
    maxDepth = std::max(maxDepth, depth);
  }
  stream.depth = depth;
  stream.maxDepth = maxDepth;
  stream.calls += calls;
  stream.slices += slices;
  stream.lastTime = std::max(stream.lastTime, events.back().time);
}

size_t RecordSummary::countFunctions() const { return size_t(llvm::count(called_, 1)); }

void RecordSummary::print(raw_ostream &os, const RecordHeader &header,
                          std::optional<TimeScale> scale, const SlicingResult &result,
                          const DamageReport &damage) const {
  Stream all;
  for (const Stream &stream : streams_) {
    all.calls += stream.calls;
    all.slices += stream.slices;
    all.maxDepth = std::max(all.maxDepth, stream.maxDepth);
    all.beside.add(stream.beside);
    all.recording += stream.recording;
    for (MeasureIndex measure = 0; measure < maxMeasures; ++measure)
      if (std::optional<uint64_t> first = stream.firstCounts[measure]) {
        uint64_t &sum = all.lastCounts[measure];
        all.firstCounts[measure] = 0;
        sum = SaturatingAdd(sum, stream.lastCounts[measure] - *first);
      }
    if (stream.firstTime) {
      all.firstTime = std::min(all.firstTime.value_or(UINT64_MAX), *stream.firstTime);
      all.lastTime = std::max(all.lastTime, stream.lastTime);
    }
  }
  auto printTime = [&](uint64_t counts) {
    os << (scale ? scale->toNanoseconds(counts) : counts) << ' '
       << header.timeUnit(scale.has_value());
  };

  // Visits each measure other than time that the stream has counts of.
  auto forCounts = [&](const Stream &stream, function_ref<void(StringRef, uint64_t)> show) {
    for (const auto &[index, measure] : enumerate(header.measures))
      if (stream.firstCounts[index] && !measure.isTime())
        show(measure.name, stream.lastCounts[index] - *stream.firstCounts[index]);
  };

  os << "entries: " << result.entries << '\n';
  os << "calls: " << all.calls << '\n';
  os << "functions: " << countFunctions() << '\n';
  os << "slices: " << all.slices << '\n';
  os << "max depth: " << all.maxDepth << '\n';
  auto printSides = [&](const char *, const char *plural, uint64_t count) {
    if (count > 0)
      os << plural << ": " << count << '\n';
  };
  forEachSideKind(printSides, all.beside);
  forCounts(all, [&](StringRef name, uint64_t sum) { os << name << ": " << sum << '\n'; });
  os << "span: ";
  printTime(all.lastTime - all.firstTime.value_or(all.lastTime));
  os << '\n';
  if (all.recording > 0) {
    os << "time of the recorder: ";
    printTime(all.recording);
    os << '\n';
  }
  if (scale)
    os << "rate: " << scale->toString() << " ns a count\n";
  if (header.clockBits < 64)
    os << "wraps: "
       << (all.lastTime >> header.clockBits) -
              (all.firstTime.value_or(all.lastTime) >> header.clockBits)
       << '\n';
  if (std::string caveat = header.silenceCaveat(); !caveat.empty())
    os << "caveat: " << caveat << '\n';
  os << "calls unwound by a later end: " << result.repairs.unwoundCalls << '\n';
  os << "calls open at the end: " << result.repairs.openCalls << '\n';
  if (result.repairs.trappedCalls > 0)
    os << "calls ended by a trap: " << result.repairs.trappedCalls << '\n';
  os << "damage: " << (damage.empty() ? "none" : "") << '\n';
  for (const std::string &message : damage.messages())
    os << "  " << displayText(message) << '\n';
  os << "modules: " << header.streams.size() << '\n';
  const Stream unseen;
  for (size_t i = 0; i < header.streams.size(); ++i) {
    const StreamInfo &info = header.streams[i];
    const Stream &stream = i < streams_.size() ? streams_[i] : unseen;
    if (header.stackOf(StreamIndex(i)) != i) {
      os << "  " << functions_.describe(info) << ": on the stack of "
         << functions_.describe(header.streams[*info.stack]) << '\n';
      continue;
    }
    os << "  " << functions_.describe(info) << ": calls " << stream.calls << ", slices "
       << stream.slices << ", max depth " << stream.maxDepth << ", span ";
    printTime(stream.lastTime - stream.firstTime.value_or(stream.lastTime));
    auto printSidesOf = [&](const char *, const char *plural, uint64_t count, StringRef remark) {
      if (count > 0)
        os << ", " << plural << ' ' << count << remark;
    };
    const BySideKind<std::string> remarks{.samples = samplingOf(info)};
    forEachSideKind(printSidesOf, stream.beside, remarks);
    forCounts(stream, [&](StringRef name, uint64_t sum) { os << ", " << name << ' ' << sum; });
    os << '\n';
  }
}
