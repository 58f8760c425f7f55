//===- PerfettoBackend.cpp - A timeline for Perfetto ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every stream of the record is a sequence of packets with a track. Names are written once and
// referred to by number; times are differences on a clock of the sequence. This state is restarted
// now and then, so that pieces of the file can be loaded alone: a chunk reaches from one restart to
// the next.
//
// The columns of a stream become counters: its events carry the values, and Perfetto draws them on
// tracks beside the stream's.
//
// Samples of a stream are a separate sequence, under a thread with the stream's name.
//
// Perfetto draws at most 512 levels and silently garbles deeper calls: these are folded into one
// frame and counted.
//
//===----------------------------------------------------------------------===//

#include "perfetto/EventSequence.h"
#include "perfetto/HeapPackets.h"
#include "perfetto/PacketStream.h"
#include "perfetto/PhasePackets.h"
#include "perfetto/RarePackets.h"
#include "perfetto/SampleSequence.h"
#include "timeline/StackFlows.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Output/StackText.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/StringSaver.h"
#include <array>
#include <optional>
#include <unordered_map>

using namespace llvm;
using namespace warpo;
using namespace warpo::perfetto;

// Perfetto has 512 levels: two are reserved for the frame of deeper calls and for a lost range.
static constexpr uint32_t maxDepth = 510;
static constexpr uint32_t maxSampleFrames = 1000;
static constexpr uint64_t processUuid = 1;
static constexpr uint32_t processNumber = 1;
// The process is followed by the tracks of streams; tracks of columns, samples, the host and heaps
// are numbered beyond all of these.
static constexpr uint64_t firstSamplesUuid = uint64_t(2) << 32;
static constexpr uint64_t firstPhasesUuid = uint64_t(3) << 32;
static constexpr uint64_t firstHeapUuid = uint64_t(3 + maxColumns) << 32;
static uint64_t firstUuidOf(ColumnIndex column) {
  return uint64_t(column == 0 ? 1 : 3 + column) << 32;
}
// Sequences of samples are numbered after those of events; a record has at most 65 536 streams.
static constexpr uint32_t firstSamplesSequence = 1 << 17;
static constexpr uint32_t phasesSequence = 1 << 18;
static constexpr uint32_t heapSequence = phasesSequence + 1;
// The state is restarted once it makes up at most 1/50 (2 %) of the bytes since the last restart.
static constexpr uint64_t restartRatio = 50;
// Perfetto's page needs up to ten times the file's size in memory; a WebAssembly module has 4 GB.
static constexpr uint64_t bytesForPage = 400'000'000;

// Space is reserved for this many packets at a time.
static constexpr size_t eventsAtOnce = 4096;

namespace {

/// The samples of a stream.
struct SampledStream {
  SampleSequence sequence;
  uint32_t chunk = 0;
};

class PerfettoBackend : public TimelineBackend {
public:
  StringRef extension() const override { return ".pftrace"; }
  bool isBinary() const override { return true; }
  bool canCompress() const override { return true; }
  bool canChunk() const override { return true; }
  bool takesSamples() const override { return true; }
  bool takesColumns() const override { return true; }

  Error begin(const TimelineInfo &info, const TimelineOptions &options, raw_ostream &os) override {
    info_.emplace(info);
    options_ = options;
    flows_.emplace(*info_);
    heap_.emplace(*info_);
    stream_.emplace(os, options.compress);
    return Error::success();
  }
  Error events(const EventBatch &batch) override;
  Error beside(const SideBatch &batch) override;
  Error finish() override;
  TimelineSummary summary() const override;
  std::vector<std::string> omissions() const override { return {}; }

private:
  EventSequence &sequenceOf(StreamIndex stream);
  void write(EventSequence &sequence, ArrayRef<Event> events, const CountColumns &counts);
  bool beginsSuspension(const Event &event) const {
    return event.kind == EventKind::begin && info_->functions.isSuspension(event.function);
  }
  void writeRareBegin(EventSequence &sequence, const Event &event, const CountColumns &counts,
                      RareBegin begin);
  void writeFlow(EventSequence &sequence, const StackFlows::Flow &flow, uint64_t time, bool isEnd);
  void writeCalls(EventSequence &sequence, ArrayRef<Event> events, const CountColumns &counts);
  template <bool countsAreNanoseconds, size_t columns>
  void writeEvents(EventSequence &sequence, ArrayRef<Event> events, const CountColumns &counts);
  void write(EventSequence &sequence, const LostRange &range);
  uint64_t lostTextOf(EventSequence &sequence, FunctionIndex function);
  Error writeHeap();
  void startChunkIfDue();
  void startProcess(uint32_t sequence, uint64_t nanoseconds);
  void startSequence(EventSequence &sequence, uint64_t nanoseconds);
  SampledStream &sampledStreamOf(StreamIndex stream);
  uint32_t addName(EventSequence &sequence, StringRef text);
  StringRef textOf(FunctionIndex function);
  uint32_t nameOf(EventSequence &sequence, FunctionIndex function, uint64_t level);
  void addPlace(EventSequence &sequence, FunctionIndex function, uint32_t number);
  uint64_t advance(EventSequence &sequence, uint64_t counts) {
    uint64_t now = std::max(info_->scale.toNanoseconds(counts), sequence.lastTime);
    uint64_t delta = now - sequence.lastTime;
    sequence.lastTime = now;
    return delta;
  }

  std::optional<TimelineInfo> info_;
  std::optional<StackFlows> flows_;
  std::optional<HeapTracks> heap_;
  TimelineOptions options_;
  std::optional<PacketStream> stream_;
  std::vector<EventSequence> sequences_;
  std::unordered_map<StreamIndex, SampledStream> sampled_;
  // Each stack is written in full: an endless recursion would take quadratic space.
  StackLimit stackLimit_{maxSampleFrames};
  /// The functions' names as UTF-8, which protobuf strings require; empty until used. Each chunk
  /// writes them again.
  std::vector<StringRef> texts_;
  /// By function: whether its source location is written along with its name. Empty until there
  /// is one.
  std::vector<bool> hasPlace_;
  BumpPtrAllocator allocator_;
  StringSaver saver_{allocator_};
  uint32_t chunk_ = 1;
  bool processWritten_ = false;
  uint64_t chunkEvents_ = 0;
  uint64_t chunkStart_ = 0;
  /// Bytes of the current chunk that are state, not events.
  uint64_t chunkState_ = 0;
  uint64_t events_ = 0;
  uint64_t deeperCalls_ = 0;
};

EventSequence &PerfettoBackend::sequenceOf(StreamIndex stream) {
  while (sequences_.size() <= stream)
    sequences_.emplace_back(StreamIndex(sequences_.size()));
  return sequences_[stream];
}

void PerfettoBackend::startProcess(uint32_t sequence, uint64_t nanoseconds) {
  if (!processWritten_)
    stream_->append(processPacket(sequence, nanoseconds, processUuid, processNumber, info_->title));
  processWritten_ = true;
}

void PerfettoBackend::startSequence(EventSequence &sequence, uint64_t nanoseconds) {
  uint64_t before = stream_->written();
  startProcess(sequence.number, nanoseconds);
  std::string name = info_->streamName(sequence.number - 1);
  SequenceStart start{.sequence = sequence.number,
                      .nanoseconds = nanoseconds,
                      .trackUuid = processUuid + sequence.number,
                      .processUuid = processUuid,
                      .trackName = name,
                      .isFirst = sequence.chunk == 0};
  for (ColumnIndex column : sequence.columns) {
    const Measure &measure = info_->header.columns()[column];
    start.counters.push_back(
        {firstUuidOf(column) + sequence.number, measure.name + " of " + name, measure.unit});
  }
  stream_->append(sequenceStartPackets(start));
  sequence.chunk = chunk_;
  sequence.lastName = 0;
  sequence.names.clear();
  sequence.lostName.reset();
  sequence.lostTexts.clear();
  sequence.deeperName.reset();
  sequence.flowNames.clear();
  sequence.lastCounts = {};
  sequence.lastTime = nanoseconds;
  chunkState_ += stream_->written() - before;
}

uint32_t PerfettoBackend::addName(EventSequence &sequence, StringRef text) {
  uint64_t before = stream_->written();
  uint8_t *at = stream_->reserve(EventPackets::namePacketSize(text));
  stream_->advanceTo(sequence.packets.writeName(at, ++sequence.lastName, text));
  chunkState_ += stream_->written() - before;
  return sequence.lastName;
}

StringRef PerfettoBackend::textOf(FunctionIndex function) {
  if (function >= texts_.size())
    texts_.resize(info_->functions.size());
  StringRef &text = texts_[function];
  if (text.empty()) {
    StringRef name = info_->functions[function].name;
    text = json::isUTF8(name) ? name : saver_.save(json::fixUTF8(name));
  }
  return text;
}

/// A function's source location gets the same number as its name.
void PerfettoBackend::addPlace(EventSequence &sequence, FunctionIndex function, uint32_t number) {
  const Function &named = info_->functions[function];
  if (named.file.empty())
    return;
  hasPlace_.resize(std::max<size_t>(hasPlace_.size(), info_->functions.size()));
  hasPlace_[function] = true;
  uint64_t before = stream_->written();
  stream_->append(placePacket(sequence.number, number, named.file, named.line));
  chunkState_ += stream_->written() - before;
}

uint32_t PerfettoBackend::nameOf(EventSequence &sequence, FunctionIndex function, uint64_t level) {
  if (level > maxDepth) {
    if (!sequence.deeperName)
      sequence.deeperName = addName(sequence, "(deeper calls)");
    return *sequence.deeperName;
  }
  uint32_t number = addName(sequence, textOf(function));
  sequence.names.set(function, number);
  addPlace(sequence, function, number);
  return number;
}

void PerfettoBackend::startChunkIfDue() {
  bool due = options_.chunkEvents ? chunkEvents_ >= options_.chunkEvents
                                  : stream_->written() - chunkStart_ >= restartRatio * chunkState_;
  if (!due || chunkEvents_ == 0)
    return;
  ++chunk_;
  processWritten_ = false;
  chunkEvents_ = 0;
  chunkStart_ = stream_->written();
  chunkState_ = 0;
}

// The hot loop, about 3 ns per event: no branch depends on the kind of the event, space for all
// packets is reserved at once, and whatever every event needs is kept in locals, as byte stores may
// alias any object. Only the first use of a name and calls deeper than Perfetto draws leave the
// fast path. `columns` is the number of counters: 0, 1, or maxColumns for any number.
template <bool countsAreNanoseconds, size_t columns>
void PerfettoBackend::writeEvents(EventSequence &sequence, ArrayRef<Event> events,
                                  const CountColumns &counts) {
  sequence.names.cover(info_->functions.size());
  const uint32_t *const *names = sequence.names.pages();
  const EventPackets &packets = sequence.packets;
  const TimeScale scale = info_->scale;
  uint64_t lastTime = sequence.lastTime;
  const size_t columnCount = columns == maxColumns ? sequence.columns.size() : columns;
  // Per counter: its values (null if the batch lacks the column), its current value, and the amount
  // added by an event.
  std::array<const uint64_t *, columns> values;
  std::array<uint64_t, columns> lastCounts, added;
  for (size_t i = 0; i < columnCount; ++i) {
    ColumnIndex column = sequence.columns.begin()[i];
    values[i] = counts[column].data();
    lastCounts[i] = sequence.lastCounts[column];
  }
  uint64_t depth = sequence.depth;
  bool hasPlaces = !hasPlace_.empty();
  uint8_t *at = stream_->reserve(events.size() * EventPackets::maxPacket);
  for (size_t i = 0; i < events.size(); ++i) {
    const Event &event = events[i];
    // Arithmetic instead of conditions, which compilers turn into branches.
    uint64_t begins = event.kind == EventKind::begin;
    uint64_t name =
        names[event.function / NameNumbers::pageSize][event.function % NameNumbers::pageSize];
    // The depth of the call that begins or ends here; the outermost has 1.
    uint64_t level = depth + begins;
    depth += 2 * begins - 1;
    bool isNew = begins > name;
    if (LLVM_UNLIKELY(isNew | (level > maxDepth))) {
      if (level > maxDepth) {
        deeperCalls_ += begins;
        // The first deeper call opens the frame that stands for all, the last one closes it.
        if (level > maxDepth + 1)
          continue;
      }
      stream_->advanceTo(at);
      name = nameOf(sequence, event.function, level);
      hasPlaces = !hasPlace_.empty();
      at = stream_->reserve((events.size() - i) * EventPackets::maxPacket);
    }
    uint64_t place = 0;
    if (LLVM_UNLIKELY(hasPlaces))
      place = begins && level <= maxDepth && event.function < hasPlace_.size() &&
                      hasPlace_[event.function]
                  ? name
                  : 0;
    uint64_t time = countsAreNanoseconds ? event.time : scale.toNanoseconds(event.time);
    time = std::max(time, lastTime);
    if constexpr (columns > 0) {
      for (size_t k = 0; k < columnCount; ++k) {
        uint64_t count = values[k] ? values[k][i] : lastCounts[k];
        added[k] = count - std::exchange(lastCounts[k], count);
      }
      at = packets.writeMore(at, begins, time - lastTime, name, ArrayRef(added.data(), columnCount),
                             place);
    } else if (LLVM_UNLIKELY(place != 0)) {
      at = packets.writeMore(at, begins, time - lastTime, name, {}, place);
    } else {
      at = packets.write(at, begins, time - lastTime, name);
    }
    lastTime = time;
  }
  stream_->advanceTo(at);
  sequence.lastTime = lastTime;
  for (size_t i = 0; i < columnCount; ++i)
    sequence.lastCounts[sequence.columns.begin()[i]] = lastCounts[i];
  sequence.depth = depth;
  events_ += events.size();
  chunkEvents_ += events.size();
}

// Suspensions have a category, and starting or resuming a stack creates a flow. Packets packed by
// hand support neither.
void PerfettoBackend::write(EventSequence &sequence, ArrayRef<Event> events,
                            const CountColumns &counts) {
  bool hasFlows = flows_->any();
  StreamIndex stream = sequence.number - 1;
  uint64_t depth = sequence.depth;
  size_t done = 0;
  auto writeUpTo = [&](size_t end) {
    writeCalls(sequence, events.slice(done, end - done), counts.slice(done, end - done));
    done = end;
  };
  for (size_t i = 0; (hasFlows || info_->functions.hasSuspensions()) && i < events.size(); ++i) {
    const Event &event = events[i];
    while (std::optional<StackFlows::Flow> flow = flows_->takeLeaving(stream, event, depth)) {
      writeUpTo(i);
      writeFlow(sequence, *flow, flow->leavesAt(), /*isEnd=*/false);
    }
    bool begins = event.kind == EventKind::begin;
    RareBegin begin;
    std::optional<StackFlows::Flow> flow;
    if (begins && depth == 0 && (flow = flows_->takeStarting(stream, event)))
      begin.flow = flow->id;
    if (beginsSuspension(event))
      begin.category = suspendedCategory;
    if (begin.category != 0 || begin.flow != 0) {
      writeUpTo(i);
      writeRareBegin(sequence, event, counts.slice(i, 1), begin);
      done = i + 1;
    }
    depth += begins ? 1 : -1;
    if (hasFlows && !begins && info_->functions.isSuspension(event.function) &&
        (flow = flows_->takeResuming(stream, event))) {
      writeUpTo(i + 1);
      writeFlow(sequence, *flow, event.time, /*isEnd=*/true);
    }
  }
  writeUpTo(events.size());
}

/// Writes the begin or the end of the flow at `time`.
void PerfettoBackend::writeFlow(EventSequence &sequence, const StackFlows::Flow &flow,
                                uint64_t time, bool isEnd) {
  // Within the frame of deeper calls there is no level left.
  if (sequence.depth > maxDepth)
    return;
  StringRef what = isEnd ? "(goes on)" : flow.resumes ? "(resumes)" : "(starts)";
  uint32_t &name = sequence.flowNames[what];
  if (name == 0)
    name = addName(sequence, what);
  stream_->append(
      flowPacket(sequence.number, info_->scale.toNanoseconds(time), name, flow.id, isEnd));
}

void PerfettoBackend::writeRareBegin(EventSequence &sequence, const Event &event,
                                     const CountColumns &counts, RareBegin begin) {
  // Deeper calls share one frame: nothing special to write.
  if (sequence.depth >= maxDepth)
    return writeCalls(sequence, event, counts);
  sequence.names.cover(info_->functions.size());
  uint64_t name = sequence.names.of(event.function);
  if (name == 0)
    name = nameOf(sequence, event.function, sequence.depth + 1);
  SmallVector<uint64_t, maxColumns> added;
  for (ColumnIndex column : sequence.columns) {
    ArrayRef<uint64_t> values = counts[column];
    uint64_t &last = sequence.lastCounts[column];
    uint64_t count = values.empty() ? last : values.front();
    added.push_back(count - std::exchange(last, count));
  }
  stream_->append(rareBeginPacket(sequence.number, advance(sequence, event.time), name, begin,
                                  counts.empty() ? ArrayRef<uint64_t>() : added));
  ++sequence.depth;
  ++events_;
  ++chunkEvents_;
}

void PerfettoBackend::writeCalls(EventSequence &sequence, ArrayRef<Event> events,
                                 const CountColumns &counts) {
  if (events.empty())
    return;
  auto writeAs = [&](auto countsAreNanoseconds) {
    if (counts.empty())
      writeEvents<countsAreNanoseconds, 0>(sequence, events, counts);
    else if (sequence.columns.size() == 1)
      writeEvents<countsAreNanoseconds, 1>(sequence, events, counts);
    else
      writeEvents<countsAreNanoseconds, maxColumns>(sequence, events, counts);
  };
  if (info_->scale.isIdentity())
    writeAs(std::true_type());
  else
    writeAs(std::false_type());
}

uint64_t PerfettoBackend::lostTextOf(EventSequence &sequence, FunctionIndex function) {
  if (function == noFunction)
    return 0;
  auto [entry, isNew] = sequence.lostTexts.try_emplace(function, sequence.lostTexts.size() + 1);
  if (isNew) {
    uint64_t before = stream_->written();
    stream_->append(lostTextPacket(sequence.number, entry->second, textOf(function)));
    chunkState_ += stream_->written() - before;
  }
  return entry->second;
}

void PerfettoBackend::write(EventSequence &sequence, const LostRange &range) {
  // Within the frame of deeper calls there is no level left.
  if (sequence.depth > maxDepth)
    return;
  if (!sequence.lostName)
    sequence.lostName = addName(sequence, "lost");
  uint64_t function = lostTextOf(sequence, range.function);
  stream_->append(lostBeginPacket(sequence.number, advance(sequence, range.from),
                                  *sequence.lostName, range.count, function));
  uint8_t *at = stream_->reserve(EventPackets::maxPacket);
  stream_->advanceTo(sequence.packets.write(at, /*begins=*/false, advance(sequence, range.to), 0));
}

Error PerfettoBackend::events(const EventBatch &batch) {
  // Perfetto shows a slice without an end as one that did not end, so ends of cut calls are
  // omitted.
  if (batch.isCut())
    return Error::success();
  EventSequence &sequence = sequenceOf(batch.stream);
  ArrayRef<Event> events = batch.events;
  ArrayRef<LostRange> lost = batch.lost;
  size_t position = 0;
  bool columnBegins = false;
  for (const CountColumns::Column &column : batch.counts)
    columnBegins |= sequence.columns.insert(column.index);
  while (!events.empty() || !lost.empty()) {
    startChunkIfDue();
    bool lostIsNext = !lost.empty() && lost.front().position == position;
    if (sequence.chunk != chunk_ || std::exchange(columnBegins, false))
      startSequence(sequence, info_->scale.toNanoseconds(lostIsNext ? lost.front().from
                                                                    : events.front().time));
    if (lostIsNext) {
      write(sequence, lost.front());
      lost = lost.drop_front();
      if (Error error = stream_->flushIfFull())
        return error;
      continue;
    }
    size_t count = lost.empty() ? events.size() : lost.front().position - position;
    count = std::min(count, eventsAtOnce);
    if (options_.chunkEvents)
      count = std::min<size_t>(count, options_.chunkEvents - chunkEvents_);
    write(sequence, events.take_front(count), batch.counts.slice(position, count));
    events = events.drop_front(count);
    position += count;
    if (Error error = stream_->flushIfFull())
      return error;
  }
  return Error::success();
}

SampledStream &PerfettoBackend::sampledStreamOf(StreamIndex stream) {
  auto [entry, isNew] = sampled_.try_emplace(
      stream, SampleSequence(*info_, stackLimit_, stream, firstSamplesSequence + stream));
  return entry->second;
}

Error PerfettoBackend::beside(const SideBatch &batch) {
  const auto &[samples, heap] = batch.entries;
  if (!heap.empty())
    if (Error error = heap_->add(batch))
      return error;
  if (samples.empty())
    return Error::success();
  SampledStream &stream = sampledStreamOf(batch.stream);
  SampleSequence &sequence = stream.sequence;
  for (const StackSample &sample : samples) {
    startChunkIfDue();
    uint64_t before = stream_->written();
    bool starts = stream.chunk != chunk_;
    if (starts) {
      uint64_t now = info_->scale.toNanoseconds(sample.time);
      startProcess(sequence.number(), now);
      stream_->append(sequence.start(now, processNumber, firstSamplesUuid + batch.stream));
      stream.chunk = chunk_;
    }
    stream_->append(sequence.write(sample));
    if (starts || sequence.hasGrown())
      chunkState_ += stream_->written() - before;
    ++chunkEvents_;
    if (Error error = stream_->flushIfFull())
      return error;
  }
  return Error::success();
}

Error PerfettoBackend::finish() {
  for (EventSequence &sequence : sequences_)
    while (std::optional<StackFlows::Flow> flow = flows_->takeLeft(sequence.number - 1)) {
      if (sequence.chunk != chunk_)
        startSequence(sequence,
                      std::max(info_->scale.toNanoseconds(flow->leavesAt()), sequence.lastTime));
      writeFlow(sequence, *flow, flow->leavesAt(), /*isEnd=*/false);
    }
  uint64_t uuid = firstPhasesUuid;
  for (const PhaseTrack &track : phaseTracks(*info_)) {
    startProcess(phasesSequence, track.phases.front().begin);
    stream_->append(phasePackets(track, phasesSequence, uuid++, processUuid));
    if (Error error = stream_->flushIfFull())
      return error;
  }
  if (Error error = writeHeap())
    return error;
  return stream_->flush();
}

Error PerfettoBackend::writeHeap() {
  if (Error error = heap_->finish())
    return error;
  uint64_t uuid = firstHeapUuid;
  for (const HeapCounter &counter : heap_->counters()) {
    startProcess(heapSequence, counter.values.front().first);
    stream_->append(counterPackets(counter, heapSequence, uuid++, processUuid));
    events_ += counter.values.size();
  }
  // Indexed by isOfTable.
  uint64_t trackUuids[2] = {};
  for (const HeapGrowth &growth : heap_->growths()) {
    uint64_t &trackUuid = trackUuids[growth.isOfTable];
    if (trackUuid == 0) {
      trackUuid = uuid++;
      startProcess(heapSequence, growth.nanoseconds);
      stream_->append(growthTrackPacket(growth.isOfTable ? "table growth" : "memory growth",
                                        growth.nanoseconds, heapSequence, trackUuid, processUuid));
    }
    stream_->append(
        growthPacket(growth, stackText(info_->functions, growth.stack), heapSequence, trackUuid));
    ++events_;
    if (Error error = stream_->flushIfFull())
      return error;
  }
  return Error::success();
}

TimelineSummary PerfettoBackend::summary() const {
  TimelineSummary result;
  result.events = events_;
  if (deeperCalls_ > 0)
    result.notes.push_back(countOf(deeperCalls_, "call") + " deeper than " +
                           std::to_string(maxDepth) +
                           " are shown as '(deeper calls)': Perfetto draws 512 levels");
  heap_->addNotes(result);
  uint64_t deeperSamples = 0;
  for (const auto &[_, stream] : sampled_)
    deeperSamples += stream.sequence.tooDeep();
  if (deeperSamples > 0)
    result.notes.push_back(countOf(deeperSamples, "sample") + " deeper than " +
                           std::to_string(maxSampleFrames) +
                           " frames are shown as '(deeper calls)' there");
  if (uint64_t written = stream_->written(); written > bytesForPage)
    result.notes.push_back(groupDigits(written / 1'000'000) +
                           " MB of timeline may be more than ui.perfetto.dev can open: --from and "
                           "--to cut a part out, --format=html shows all in a small page");
  return result;
}

warpo::Registry<TimelineBackend>::Add<PerfettoBackend>
    registration("perfetto", "protobuf trace for the Perfetto UI and trace processor");

} // namespace
