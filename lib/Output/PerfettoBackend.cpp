//===- PerfettoBackend.cpp - A timeline for Perfetto ----------------------===//
//
// Every stream of the record is a sequence of packets and a track of its own. Names are written
// once and referred to by number; times are differences on a clock that belongs to the sequence.
// This state is restarted now and then, so that a piece of the file can be loaded alone: from one
// restart to the next is a chunk.
//
// Perfetto draws at most 512 levels and shows nonsense, without a word, for what lies deeper: such
// calls are folded into one frame and counted.
//
//===----------------------------------------------------------------------===//

#include "perfetto/EventPackets.h"
#include "perfetto/PacketStream.h"
#include "perfetto/RarePackets.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Support/Errors.h"
#include <optional>

using namespace llvm;
using namespace warpo;
using namespace warpo::perfetto;

// Perfetto has 512 levels: two are kept for the frame of what lies deeper and for a lost range.
static constexpr uint32_t maxDepth = 510;
static constexpr uint64_t processUuid = 1;
// The state is restarted where it is at most 1/50, 2 %, of the bytes since the last restart.
static constexpr uint64_t restartRatio = 50;

namespace {

/// The numbers that names have in a sequence. Paged, since a stream's functions lie close together
/// in a table that holds the functions of all modules.
class NameNumbers {
public:
  /// The number of `function` in the chunk, 0 if it has none yet.
  uint32_t find(FunctionIndex function, uint32_t chunk) const {
    size_t page = function / pageSize;
    if (LLVM_UNLIKELY(page >= pages_.size() || pages_[page].empty()))
      return 0;
    const Entry &entry = pages_[page][function % pageSize];
    return entry.chunk == chunk ? entry.number : 0;
  }
  void set(FunctionIndex function, uint32_t chunk, uint32_t number) {
    size_t page = function / pageSize;
    if (page >= pages_.size())
      pages_.resize(page + 1);
    if (pages_[page].empty())
      pages_[page].resize(pageSize);
    pages_[page][function % pageSize] = {chunk, number};
  }

private:
  static constexpr size_t pageSize = 1024;
  struct Entry {
    uint32_t chunk = 0;
    uint32_t number = 0;
  };
  std::vector<std::vector<Entry>> pages_;
};

struct Sequence {
  explicit Sequence(StreamIndex stream) : number(stream + 1), packets(number) {}

  uint32_t number;
  EventPackets packets;
  NameNumbers names;
  /// The chunk that the sequence's state belongs to; 0: nothing has been written yet.
  uint32_t chunk = 0;
  uint32_t lastName = 0;
  std::optional<uint32_t> lostName;
  std::optional<uint32_t> deeperName;
  uint64_t lastTime = 0;
  uint64_t depth = 0;
};

class PerfettoBackend : public TimelineBackend {
public:
  StringRef extension() const override { return ".pftrace"; }
  bool isBinary() const override { return true; }
  bool canCompress() const override { return true; }
  bool canChunk() const override { return true; }

  Error begin(const TimelineInfo &info, const TimelineOptions &options, raw_ostream &os) override {
    info_.emplace(info);
    options_ = options;
    stream_.emplace(os, options.compress);
    return Error::success();
  }
  Error events(const EventBatch &batch) override;
  Error finish() override { return stream_->flush(); }
  TimelineSummary summary() const override;

private:
  Sequence &sequenceOf(StreamIndex stream);
  void write(Sequence &sequence, ArrayRef<Event> events);
  void write(Sequence &sequence, const LostRange &range);
  void startChunkIfDue();
  void startSequence(Sequence &sequence, uint64_t nanoseconds);
  uint32_t addName(Sequence &sequence, StringRef name);
  uint32_t addFunctionName(Sequence &sequence, FunctionIndex function);
  uint64_t advance(Sequence &sequence, uint64_t counts) {
    uint64_t now = std::max(info_->scale.toNanoseconds(counts), sequence.lastTime);
    uint64_t delta = now - sequence.lastTime;
    sequence.lastTime = now;
    return delta;
  }

  std::optional<TimelineInfo> info_;
  TimelineOptions options_;
  std::optional<PacketStream> stream_;
  std::vector<Sequence> sequences_;
  uint32_t chunk_ = 1;
  bool processWritten_ = false;
  uint64_t chunkEvents_ = 0;
  uint64_t chunkStart_ = 0;
  /// Bytes of the present chunk that are state, not events.
  uint64_t chunkState_ = 0;
  uint64_t events_ = 0;
  uint64_t deeperCalls_ = 0;
};

Sequence &PerfettoBackend::sequenceOf(StreamIndex stream) {
  while (sequences_.size() <= stream)
    sequences_.emplace_back(StreamIndex(sequences_.size()));
  return sequences_[stream];
}

void PerfettoBackend::startSequence(Sequence &sequence, uint64_t nanoseconds) {
  uint64_t before = stream_->written();
  if (!processWritten_)
    stream_->append(processPacket(sequence.number, nanoseconds, processUuid, info_->title));
  processWritten_ = true;
  const StreamInfo &streamInfo = info_->header.streams[sequence.number - 1];
  std::string name =
      streamInfo.name.empty() ? info_->functions.moduleName(streamInfo.moduleId) : streamInfo.name;
  stream_->append(sequenceStartPackets({.sequence = sequence.number,
                                        .nanoseconds = nanoseconds,
                                        .trackUuid = processUuid + sequence.number,
                                        .processUuid = processUuid,
                                        .trackName = name,
                                        .isFirst = sequence.chunk == 0}));
  sequence.chunk = chunk_;
  sequence.lastName = 0;
  sequence.lostName.reset();
  sequence.deeperName.reset();
  sequence.lastTime = nanoseconds;
  chunkState_ += stream_->written() - before;
}

uint32_t PerfettoBackend::addName(Sequence &sequence, StringRef name) {
  uint64_t before = stream_->written();
  stream_->append(namePacket(sequence.number, ++sequence.lastName, name));
  chunkState_ += stream_->written() - before;
  return sequence.lastName;
}

uint32_t PerfettoBackend::addFunctionName(Sequence &sequence, FunctionIndex function) {
  uint32_t number = addName(sequence, info_->functions[function].name);
  sequence.names.set(function, chunk_, number);
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

// The hot loop: about 4 ns an event, most of it the stores of the packet. Room for all packets is
// made at once, and the place to write stays in a register; only a name's first use goes through
// the stream.
void PerfettoBackend::write(Sequence &sequence, ArrayRef<Event> events) {
  uint8_t *at = stream_->reserve(events.size() * EventPackets::maxPacket);
  for (size_t i = 0; i < events.size(); ++i) {
    const Event &event = events[i];
    bool begins = event.kind == EventKind::begin;
    if (!begins)
      --sequence.depth;
    if (LLVM_UNLIKELY(sequence.depth >= maxDepth)) {
      sequence.depth += begins;
      deeperCalls_ += begins;
      // The first of them opens the frame that stands for all, the last one closes it.
      if (sequence.depth > maxDepth + begins)
        continue;
      if (begins && !sequence.deeperName) {
        stream_->advanceTo(at);
        sequence.deeperName = addName(sequence, "(deeper calls)");
        at = stream_->reserve((events.size() - i) * EventPackets::maxPacket);
      }
      uint64_t delta = advance(sequence, event.time);
      at = begins ? sequence.packets.begin(at, delta, *sequence.deeperName)
                  : sequence.packets.end(at, delta);
      continue;
    }
    uint64_t delta = advance(sequence, event.time);
    if (!begins) {
      at = sequence.packets.end(at, delta);
      continue;
    }
    ++sequence.depth;
    uint32_t name = sequence.names.find(event.function, chunk_);
    if (LLVM_UNLIKELY(name == 0)) {
      stream_->advanceTo(at);
      name = addFunctionName(sequence, event.function);
      at = stream_->reserve((events.size() - i) * EventPackets::maxPacket);
    }
    at = sequence.packets.begin(at, delta, name);
  }
  stream_->advanceTo(at);
  events_ += events.size();
  chunkEvents_ += events.size();
}

void PerfettoBackend::write(Sequence &sequence, const LostRange &range) {
  // Within the frame of what lies deeper there is no level left.
  if (sequence.depth > maxDepth)
    return;
  if (!sequence.lostName)
    sequence.lostName = addName(sequence, "lost");
  StringRef function = range.function == noFunction ? "" : info_->functions[range.function].name;
  stream_->append(lostBeginPacket(sequence.number, advance(sequence, range.from),
                                  *sequence.lostName, range.count, function));
  uint8_t *at = stream_->reserve(EventPackets::maxPacket);
  stream_->advanceTo(sequence.packets.end(at, advance(sequence, range.to)));
}

Error PerfettoBackend::events(const EventBatch &batch) {
  Sequence &sequence = sequenceOf(batch.stream);
  ArrayRef<Event> events = batch.events;
  ArrayRef<LostRange> lost = batch.lost;
  size_t position = 0;
  while (!events.empty() || !lost.empty()) {
    startChunkIfDue();
    bool lostIsNext = !lost.empty() && lost.front().position == position;
    if (sequence.chunk != chunk_)
      startSequence(sequence, info_->scale.toNanoseconds(lostIsNext ? lost.front().from
                                                                    : events.front().time));
    if (lostIsNext) {
      write(sequence, lost.front());
      lost = lost.drop_front();
      continue;
    }
    size_t count = lost.empty() ? events.size() : lost.front().position - position;
    if (options_.chunkEvents)
      count = std::min<size_t>(count, options_.chunkEvents - chunkEvents_);
    write(sequence, events.take_front(count));
    events = events.drop_front(count);
    position += count;
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
  return result;
}

warpo::Registry<TimelineBackend>::Add<PerfettoBackend>
    registration("perfetto", "protobuf trace for the Perfetto UI and trace processor");

} // namespace
