//===- RecordSummary.cpp --------------------------------------------------===//

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
  if (!batch.fuel.empty()) {
    stream.firstFuel = stream.firstFuel.value_or(batch.fuel.front());
    stream.lastFuel = batch.fuel.back();
  }
  count(stream, batch.events);
  return Error::success();
}

Error RecordSummary::samples(const SampleBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  const StackSample &first = batch.samples.front();
  stream.firstTime = std::min(stream.firstTime.value_or(UINT64_MAX), first.time - first.timeSince);
  stream.lastTime = std::max(stream.lastTime, batch.samples.back().time);
  stream.samples += batch.samples.size();
  stream.firstFuel = stream.firstFuel.value_or(0);
  for (const StackSample &sample : batch.samples)
    stream.lastFuel = SaturatingAdd(stream.lastFuel, sample.fuelSince);
  return Error::success();
}

static std::string samplingOf(const StreamInfo &stream) {
  switch (stream.sampledBy) {
  case StreamInfo::SampledBy::unknown:
    break;
  case StreamInfo::SampledBy::fuel:
    return " each " + std::to_string(stream.sampleInterval) + " fuel";
  case StreamInfo::SampledBy::time:
    return " each " + std::to_string(stream.sampleInterval) + " ns";
  }
  return "";
}

// About 1 ns an event: no branch depends on its kind, which is as good as random.
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
                          const FunctionTable &functions, std::optional<TimeScale> scale,
                          const SlicingResult &result, const DamageReport &damage) const {
  Stream all;
  for (const Stream &stream : streams_) {
    all.calls += stream.calls;
    all.slices += stream.slices;
    all.maxDepth = std::max(all.maxDepth, stream.maxDepth);
    all.samples += stream.samples;
    if (stream.firstFuel) {
      all.firstFuel = 0;
      all.lastFuel = SaturatingAdd(all.lastFuel, stream.lastFuel - *stream.firstFuel);
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

  os << "entries: " << result.entries << '\n';
  os << "calls: " << all.calls << '\n';
  os << "functions: " << countFunctions() << '\n';
  os << "slices: " << all.slices << '\n';
  os << "max depth: " << all.maxDepth << '\n';
  if (all.samples > 0)
    os << "samples: " << all.samples << '\n';
  if (all.firstFuel)
    os << "fuel: " << all.lastFuel << '\n';
  os << "span: ";
  printTime(all.lastTime - all.firstTime.value_or(all.lastTime));
  os << '\n';
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
  os << "damage: " << (damage.empty() ? "none" : "") << '\n';
  for (const std::string &message : damage.messages())
    os << "  " << displayText(message) << '\n';
  os << "modules: " << header.streams.size() << '\n';
  const Stream unseen;
  for (size_t i = 0; i < header.streams.size(); ++i) {
    const StreamInfo &info = header.streams[i];
    const Stream &stream = i < streams_.size() ? streams_[i] : unseen;
    os << "  " << functions.describe(info) << ": calls " << stream.calls << ", slices "
       << stream.slices << ", max depth " << stream.maxDepth << ", span ";
    printTime(stream.lastTime - stream.firstTime.value_or(stream.lastTime));
    if (stream.samples > 0)
      os << ", samples " << stream.samples << samplingOf(info);
    if (stream.firstFuel)
      os << ", fuel " << stream.lastFuel - *stream.firstFuel;
    os << '\n';
  }
}
