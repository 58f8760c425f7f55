//===- WarpoFormat.cpp - warpo's own binary record ------------------------===//
//
// docs/record-format.md is its grammar; the words here are the same.
//
//===----------------------------------------------------------------------===//

#include "warpo-format/BlockReader.h"
#include "warpo-format/BlockSelection.h"
#include "warpo-format/EventDecoder.h"
#include "warpo-format/SampleDecoder.h"
#include "warpo-format/WarpoWriter.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/MathExtras.h"
#include <unordered_map>

using namespace llvm;
using namespace warpo;

static constexpr size_t maxModules = 1 << 16;
static constexpr size_t maxPhases = 1 << 16;
static constexpr size_t maxClocks = 256;

namespace {

class WarpoReader : public RecordReader {
public:
  explicit WarpoReader(std::unique_ptr<InputStream> input)
      : input_(std::move(input)), blocks_(*input_) {}

  /// Reads what stands before the first events.
  Error open();
  Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to) override;
  Expected<bool> next(RecordBatch &batch) override;
  std::string placeOf(size_t) const override { return placeAt(batchOffset_); }
  uint64_t bytesRead() const override { return input_->offset(); }
  std::optional<uint64_t> inputSize() const override { return input_->size(); }

private:
  struct Stream {
    uint64_t lastTime = 0;
    uint64_t lastFuel = 0;
    uint64_t lastSample = 0;
    /// Something of it may have been skipped since its last entry.
    bool hasGap = false;
    /// An entry after the window has been read.
    bool isPast = false;
  };

  std::string placeAt(uint64_t offset) const {
    return (input_->name() + ":0x" + utohexstr(offset, /*LowerCase=*/true)).str();
  }
  /// Reads blocks until one with events has begun; false at the end of the record.
  Expected<bool> nextEvents();
  bool read(const Block &block);
  bool readClock(ByteCursor &cursor);
  bool readModule(ByteCursor &cursor);
  bool readStream(ByteCursor &cursor);
  bool readPhases(ByteCursor &cursor);
  bool beginEvents(ByteCursor &cursor);
  Error leaveOut();
  /// The clocks of a block of events; nothing if it has one that was not declared.
  std::optional<BlockClocks> readBlockClocks(ByteCursor &cursor) const;
  bool readStacks(ByteCursor &cursor);
  bool beginSamples(ByteCursor &cursor);
  void skip(uint64_t bytes, uint64_t offset);
  bool decodeBatch();
  bool decodeSamples();
  bool takePendingNotes();

  std::unique_ptr<InputStream> input_;
  BlockReader blocks_;
  Block block_;
  EventDecoder decoder_;
  SampleDecoder sampleDecoder_;
  bool inEvents_ = false;
  bool inSamples_ = false;
  bool isClosed_ = false;
  bool atEnd_ = false;
  StreamIndex current_ = 0;
  std::vector<Stream> streams_;
  std::unordered_map<uint64_t, StreamIndex> streamOfNumber_;
  std::unordered_map<uint64_t, size_t> moduleOfNumber_;
  /// What keepOnly() chose.
  BlockSelection selection_;
  uint64_t keptTo_ = UINT64_MAX;
  /// The block that is next begins a stream in its middle.
  bool isStart_ = false;
  /// By number, whether it counts fuel.
  std::unordered_map<uint64_t, bool> furtherClocks_;
  RecordColumns columns_;
  /// Notes that wait for a batch: they are of no stream.
  std::vector<RecordNote> pending_;
  uint64_t batchOffset_ = 0;
};

Error WarpoReader::open() {
  auto window = input_->window(warpo_signature_size);
  if (!window)
    return window.takeError();
  StringRef start = toStringRef(*window).take_front(warpo_signature_size);
  if (!start.starts_with(StringRef(WARPO_SIGNATURE, warpo_signature_size - 2)))
    return offsetError(input_->name(), 0, "not a warpo record: its signature is another");
  if (start != StringRef(WARPO_SIGNATURE, warpo_signature_size))
    return offsetError(input_->name(), 6,
                       "a warpo record of another version than 1, which this program knows");
  input_->consume(warpo_signature_size);
  auto more = nextEvents();
  return more ? Error::success() : more.takeError();
}

// The record's first entry tells when the window begins, so it is decoded, and then what was read
// is read once more: most likely it lies before the window.
Expected<std::optional<uint64_t>> WarpoReader::keepOnly(uint64_t from, uint64_t to) {
  if (!inEvents_ || !pending_.empty() || !input_->canSeek())
    return std::nullopt;
  RecordColumns first;
  decoder_.decode(first);
  std::optional<uint64_t> start;
  if (!first.times.empty()) {
    auto selection = BlockSelection::create(*input_, SaturatingAdd(from, first.times.front()));
    if (!selection)
      return selection.takeError();
    if (selection->misfit())
      pending_.push_back({0, NoteKind::unusableIndex, 1, placeAt(*selection->misfit())});
    if (!selection->empty())
      start = first.times.front();
    selection_ = std::move(*selection);
    keptTo_ = SaturatingAdd(to, first.times.front());
  }
  inEvents_ = false;
  if (Error error = blocks_.seek(block_.offset))
    return error;
  return start;
}

/// Moves over blocks of events that lie outside of the window.
Error WarpoReader::leaveOut() {
  isStart_ = false;
  while (const IndexedBlock *block = selection_.find(blocks_.position())) {
    auto stream = streamOfNumber_.find(block->stream);
    bool isPast = stream != streamOfNumber_.end() && streams_[stream->second].isPast;
    if (!block->isBefore && !isPast) {
      isStart_ = block->isStart;
      break;
    }
    if (Error error = blocks_.seek(block->offset + block->size))
      return error;
  }
  return Error::success();
}

bool WarpoReader::readClock(ByteCursor &cursor) {
  uint64_t number = cursor.u64();
  uint64_t nanoseconds = cursor.u64();
  uint64_t counts = cursor.u64();
  uint64_t origin = cursor.u64();
  uint64_t wall = cursor.u64();
  uint64_t begin = cursor.u64();
  uint64_t end = cursor.u64();
  StringRef name = cursor.sizedString();
  if (!cursor.ok() || (nanoseconds == 0) != (counts == 0))
    return false;
  bool isFuel = name == WARPO_FUEL_CLOCK || name.starts_with(WARPO_FUEL_CLOCK ":");
  if (isFuel)
    header_.fuelClock = name.str();
  if (number != warpo_clock_time) {
    if (furtherClocks_.size() == maxClocks)
      return false;
    furtherClocks_[number] = isFuel;
    return true;
  }
  header_.timeIsFuel = isFuel;
  if (counts != 0 && !isFuel)
    header_.scale = TimeScale(nanoseconds, counts);
  header_.origin = origin;
  header_.wallClock = wall;
  header_.probe = {begin, end};
  return true;
}

bool WarpoReader::readModule(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  RecordedModule declared;
  declared.id = cursor.uleb64();
  declared.name = cursor.sizedString().str();
  declared.hash = cursor.sizedString().str();
  declared.buildId = cursor.sizedString().str();
  uint64_t count = cursor.uleb64();
  if (!cursor.ok() || count > cursor.remaining())
    return false;
  auto [entry, isNew] = moduleOfNumber_.try_emplace(number, header_.modules.size());
  if (isNew) {
    if (header_.modules.size() == maxModules)
      return false;
    header_.modules.push_back(std::move(declared));
  }
  RecordedModule &module = header_.modules[entry->second];
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t id = cursor.uleb64();
    StringRef name = cursor.sizedString();
    if (!cursor.ok() || id == 0 || id > INT32_MAX || module.names.size() + name.size() > UINT32_MAX)
      return false;
    module.functions.push_back({int32_t(id), uint32_t(module.names.size()), uint32_t(name.size())});
    module.names += name;
    ++header_.namedFunctions;
  }
  return true;
}

bool WarpoReader::readPhases(ByteCursor &cursor) {
  uint64_t count = cursor.uleb64();
  if (!cursor.ok() || count > cursor.remaining() || header_.phases.size() + count > maxPhases)
    return false;
  std::vector<RecordedPhase> phases;
  for (uint64_t i = 0; i < count; ++i) {
    RecordedPhase phase;
    phase.name = cursor.sizedString().str();
    phase.begin = cursor.u64();
    phase.end = cursor.u64();
    phase.unit = cursor.sizedString().str();
    phase.ticks = cursor.u64();
    if (!cursor.ok() || int64_t(phase.duration()) < 0)
      return false;
    phases.push_back(std::move(phase));
  }
  std::string run = cursor.atEnd() ? "" : cursor.sizedString().str();
  if (!cursor.ok())
    return false;
  for (RecordedPhase &phase : phases)
    phase.run = run;
  header_.phases.insert(header_.phases.end(), std::make_move_iterator(phases.begin()),
                        std::make_move_iterator(phases.end()));
  return true;
}

bool WarpoReader::readStream(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  uint64_t moduleNumber = cursor.uleb64();
  uint64_t thread = cursor.uleb64();
  StringRef name = cursor.sizedString();
  uint64_t flags = cursor.ok() && !cursor.atEnd() ? cursor.uleb64() : 0;
  auto module = moduleOfNumber_.find(moduleNumber);
  if (!cursor.ok() || module == moduleOfNumber_.end())
    return false;
  auto [entry, isNew] = streamOfNumber_.try_emplace(number, StreamIndex(streams_.size()));
  if (!isNew)
    return true;
  // Where there is no room for it, its events are skipped as those of a stream nobody declared.
  bool isHost = (flags & warpo_stream_is_host) != 0;
  if (!addStream({header_.modules[module->second].id, name.str(), thread, isHost})) {
    streamOfNumber_.erase(entry);
    return false;
  }
  streams_.emplace_back();
  return true;
}

std::optional<BlockClocks> WarpoReader::readBlockClocks(ByteCursor &cursor) const {
  BlockClocks clocks;
  clocks.count = cursor.uleb64();
  for (size_t i = 0; i < clocks.count; ++i) {
    auto known = furtherClocks_.find(cursor.uleb64());
    uint64_t base = cursor.u64();
    if (!cursor.ok() || known == furtherClocks_.end())
      return std::nullopt;
    if (known->second && !clocks.fuel && !header_.timeIsFuel) {
      clocks.fuel = i;
      clocks.fuelBase = base;
    }
  }
  return clocks;
}

bool WarpoReader::beginEvents(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  uint64_t base = cursor.u64();
  std::optional<BlockClocks> clocks = readBlockClocks(cursor);
  auto stream = streamOfNumber_.find(number);
  if (!cursor.ok() || !clocks || stream == streamOfNumber_.end())
    return false;
  current_ = stream->second;
  Stream &state = streams_[current_];
  clocks->fuelBefore = state.lastFuel;
  if (base < state.lastTime) {
    pending_.push_back({0, NoteKind::timeWentBack, state.lastTime - base, placeAt(block_.offset)});
    base = state.lastTime;
  }
  inEvents_ = decoder_.begin(cursor, base, *clocks);
  if (inEvents_ && isStart_) {
    state.hasGap = false;
    decoder_.addContext(columns_);
  }
  return inEvents_;
}

bool WarpoReader::readStacks(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  for (; !cursor.atEnd(); ++number) {
    std::optional<uint32_t> parent = sampleDecoder_.find(cursor.uleb64());
    RecordedStack stack;
    if (uint64_t moduleNumber = cursor.uleb64()) {
      auto module = moduleOfNumber_.find(moduleNumber - 1);
      uint32_t code = cursor.uleb32();
      if (module == moduleOfNumber_.end() || code == 0 || code > 0x80000000)
        return false;
      stack.moduleId = header_.modules[module->second].id;
      stack.id = EventDecoder::idOfCode(code);
      if (stack.id == 0)
        return false;
    } else {
      stack.text = cursor.sizedString().str();
    }
    if (!cursor.ok() || !parent)
      return false;
    stack.parent = *parent;
    std::optional<uint32_t> added = addStack(std::move(stack));
    if (!added || !sampleDecoder_.addStack(number, *added))
      return false;
  }
  return cursor.ok();
}

bool WarpoReader::beginSamples(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  uint64_t due = cursor.uleb64();
  uint64_t interval = cursor.uleb64();
  uint64_t base = cursor.u64();
  cursor.u64(); // the fuel at that time
  auto stream = streamOfNumber_.find(number);
  if (!cursor.ok() || stream == streamOfNumber_.end())
    return false;
  current_ = stream->second;
  StreamInfo &info = header_.streams[current_];
  if (due <= uint64_t(StreamInfo::SampledBy::time))
    info.sampledBy = StreamInfo::SampledBy(due);
  info.sampleInterval = interval;
  uint64_t &last = streams_[current_].lastSample;
  if (base < last)
    pending_.push_back({0, NoteKind::timeWentBack, last - base, placeAt(block_.offset)});
  sampleDecoder_.begin(cursor, std::max(base, last));
  inSamples_ = true;
  return true;
}

bool WarpoReader::read(const Block &block) {
  ByteCursor cursor(block.payload, block.offset + warpo_block_header_size);
  if (block.isCompressed && block.kind != warpo_block_events)
    return false;
  switch (block.kind) {
  case warpo_block_clock:
    return readClock(cursor);
  case warpo_block_module:
    return readModule(cursor);
  case warpo_block_stream:
    return readStream(cursor);
  case warpo_block_events:
    return beginEvents(cursor);
  case warpo_block_stacks:
    return readStacks(cursor);
  case warpo_block_samples:
    return beginSamples(cursor);
  case warpo_block_phases:
    return readPhases(cursor);
  case warpo_block_end:
    isClosed_ = true;
    return true;
  default:
    return true;
  }
}

void WarpoReader::skip(uint64_t bytes, uint64_t offset) {
  pending_.push_back({0, NoteKind::skippedBytes, bytes, placeAt(offset)});
  for (Stream &stream : streams_)
    stream.hasGap = true;
}

Expected<bool> WarpoReader::nextEvents() {
  while (!atEnd_) {
    if (Error error = leaveOut())
      return error;
    auto more = blocks_.next(block_);
    if (!more)
      return more.takeError();
    if (blocks_.skippedBytes() > 0)
      skip(blocks_.skippedBytes(), blocks_.skippedFrom());
    if (!*more) {
      atEnd_ = true;
      if (!isClosed_)
        pending_.push_back({0, NoteKind::notClosed, 1, placeAt(input_->offset())});
      break;
    }
    if (!read(block_))
      skip(block_.payload.size(), block_.offset);
    if (inEvents_ || inSamples_)
      return true;
  }
  return false;
}

/// Fills columns_ from the block; false if there was nothing in what is left of it.
bool WarpoReader::decodeBatch() {
  Stream &stream = streams_[current_];
  takePendingNotes();
  if (stream.hasGap)
    columns_.notes.push_back({0, NoteKind::lost, 0, placeAt(block_.offset)});
  stream.hasGap = false;
  bool good = decoder_.decode(columns_);
  batchOffset_ = block_.offset + warpo_block_header_size;
  if (!block_.isCompressed)
    batchOffset_ += uint64_t(decoder_.batchBegin() - block_.payload.begin());
  if (!good) {
    auto rest = uint64_t(block_.payload.end() - decoder_.position());
    columns_.notes.push_back(
        {uint32_t(columns_.ids.size()), NoteKind::skippedBytes, rest,
         placeAt(block_.isCompressed
                     ? block_.offset
                     : block_.offset + warpo_block_header_size +
                           uint64_t(decoder_.position() - block_.payload.begin()))});
    stream.hasGap = true;
  }
  stream.lastTime = decoder_.lastTime();
  if (!columns_.times.empty() && columns_.times.back() > keptTo_)
    stream.isPast = true;
  stream.lastFuel = decoder_.lastFuel();
  inEvents_ = good && !decoder_.atEnd();
  for (RecordNote &note : columns_.notes)
    if (note.place.empty())
      note.place = placeAt(batchOffset_);
  return !columns_.empty();
}

/// The same for samples.
bool WarpoReader::decodeSamples() {
  takePendingNotes();
  bool good = sampleDecoder_.decode(columns_);
  if (!good)
    columns_.notes.push_back({0, NoteKind::skippedBytes,
                              uint64_t(block_.payload.end() - sampleDecoder_.position()),
                              placeAt(block_.offset)});
  streams_[current_].lastSample = sampleDecoder_.lastTime();
  batchOffset_ = block_.offset;
  inSamples_ = good && !sampleDecoder_.atEnd();
  return !columns_.empty();
}

bool WarpoReader::takePendingNotes() {
  columns_.notes.insert(columns_.notes.end(), std::make_move_iterator(pending_.begin()),
                        std::make_move_iterator(pending_.end()));
  pending_.clear();
  return !columns_.notes.empty();
}

Expected<bool> WarpoReader::next(RecordBatch &batch) {
  columns_.clear();
  while (true) {
    if (inEvents_) {
      if (!decodeBatch())
        continue;
      batch = columns_.batch(current_);
      return true;
    }
    if (inSamples_) {
      if (!decodeSamples())
        continue;
      batch = columns_.batch(current_);
      return true;
    }
    auto more = nextEvents();
    if (!more)
      return more.takeError();
    if (*more)
      continue;
    // What is known only now belongs to the last stream.
    batchOffset_ = input_->offset();
    if (streams_.empty() && !pending_.empty())
      return offsetError(input_->name(), warpo_signature_size,
                         "no stream of the record can be read");
    if (!takePendingNotes())
      return false;
    batch = columns_.batch(current_);
    return true;
  }
}

class WarpoFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".warpo"; }
  bool isBinary() const override { return true; }
  bool canRead() const override { return true; }
  bool canCompress() const override { return compression::zstd::isAvailable(); }
  bool sniff(ArrayRef<uint8_t> start) const override {
    return toStringRef(start).starts_with(StringRef(WARPO_SIGNATURE, warpo_signature_size - 2));
  }
  Expected<std::unique_ptr<RecordReader>> open(std::unique_ptr<InputStream> input) const override {
    auto reader = std::make_unique<WarpoReader>(std::move(input));
    if (Error error = reader->open())
      return error;
    return reader;
  }
  Expected<std::unique_ptr<RecordWriter>>
  create(raw_ostream &os, const RecordWriterContext &context) const override {
    return std::make_unique<WarpoWriter>(os, context);
  }
};

warpo::Registry<RecordFormat>::Add<WarpoFormat>
    registration("warpo", "warpo's own: with names, rate and threads, about 3 bytes an entry");

} // namespace
