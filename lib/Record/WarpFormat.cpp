//===- WarpFormat.cpp - WARP's binary record ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   record := magic entry*
//   magic  := "___WARP_TRACE___"
//   entry  := module:u64 time:u32 id:i32        (little endian)
//
// `time` is the low half of a 64-bit counter. Entries of one module are in time order; entries of
// several are written in runs, so that between modules time may go back. docs/records.md has the
// rules by which the reader gives each entry its full time; startRun and readRun follow them.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <cstdlib>
#include <map>
#include <unordered_map>

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral magic = "___WARP_TRACE___";
static constexpr size_t entrySize = 16;
static constexpr uint32_t smallestWrap = 1u << 20;
static constexpr uint64_t epochLength = uint64_t(1) << 32;
// Not 0: the run of another module, later in the file, may have begun before the first wrap.
static constexpr uint64_t firstEpoch = epochLength;

static bool isFunctionId(int32_t id) { return id != 0 && id != INT32_MIN; }

namespace {

class WarpReader : public RecordSource {
public:
  explicit WarpReader(std::unique_ptr<InputStream> input) : input_(std::move(input)) {
    header_.origin = firstEpoch;
    header_.clockBits = 32;
  }

  Error readMagic();
  Expected<bool> next(RecordBatch &batch) override;
  std::string placeOf(size_t index) const override;
  uint64_t bytesRead() const override { return input_->offset(); }
  std::optional<uint64_t> inputSize() const override { return input_->size(); }

private:
  std::string placeAt(uint64_t offset) const { return placeInFile(input_->name(), offset); }
  Error startRun(uint64_t moduleId);
  /// Determines the epoch of the current run by the time of its first valid entry.
  void placeRun(uint32_t time);
  std::optional<uint32_t> firstTimeOfRun(ArrayRef<uint8_t> bytes) const;
  size_t readRun(ArrayRef<uint8_t> bytes, uint64_t offset);

  struct Stream {
    uint64_t lastTime = 0;
    bool seen = false;
  };

  std::unique_ptr<InputStream> input_;
  std::unordered_map<uint64_t, StreamIndex> streamOfModule_;
  std::vector<Stream> streams_;
  StreamIndex current_ = 0;
  uint64_t currentModule_ = 0;
  bool inRun_ = false;
  bool runIsPlaced_ = false;
  /// The last time of the last run that has been placed.
  std::optional<uint64_t> lastRunTime_;
  RecordColumns columns_;
  /// The position of the batch, and by entry in columns_ the number of skipped entries before it.
  uint64_t batchOffset_ = 0;
  std::vector<uint32_t> skippedBefore_;
};

Error WarpReader::readMagic() {
  auto window = input_->window(magic.size());
  if (!window)
    return window.takeError();
  if (toStringRef(*window).take_front(magic.size()) != magic)
    return offsetError(input_->name(), 0, "not a WARP record: it does not start with " + magic);
  input_->consume(magic.size());
  return Error::success();
}

Error WarpReader::startRun(uint64_t moduleId) {
  auto [entry, isNew] = streamOfModule_.try_emplace(moduleId, StreamIndex(streams_.size()));
  if (isNew) {
    if (!addStream({moduleId, ""}))
      return offsetError(input_->name(), input_->offset(),
                         "more than " + Twine(maxStreams) + " modules in one record");
    streams_.emplace_back();
  }
  current_ = entry->second;
  currentModule_ = moduleId;
  inRun_ = true;
  runIsPlaced_ = false;
  return Error::success();
}

/// Nothing if `bytes` have no entry of the run with a valid id.
std::optional<uint32_t> WarpReader::firstTimeOfRun(ArrayRef<uint8_t> bytes) const {
  for (; bytes.size() >= entrySize; bytes = bytes.drop_front(entrySize)) {
    if (support::endian::read64le(bytes.data()) != currentModule_)
      break;
    if (isFunctionId(int32_t(support::endian::read32le(bytes.data() + 12))))
      return support::endian::read32le(bytes.data() + 8);
  }
  return std::nullopt;
}

void WarpReader::placeRun(uint32_t time) {
  runIsPlaced_ = true;
  uint64_t previous = lastRunTime_.value_or(firstEpoch + time);
  Stream &stream = streams_[current_];
  uint64_t full = (previous & ~(epochLength - 1)) | time;
  if (full < previous && previous - full >= epochLength / 2)
    full += epochLength;
  else if (full > previous && full - previous > epochLength / 2 && full >= epochLength)
    full -= epochLength;
  if (stream.seen && full < stream.lastTime) {
    // Below, the rule for a wrap within the module decides whether this is a step back of its
    // clock.
    full = (stream.lastTime & ~(epochLength - 1)) | time;
    if (full < stream.lastTime && stream.lastTime - full >= smallestWrap)
      full += epochLength;
  }
  if (!stream.seen || full > stream.lastTime) {
    // readRun adds a difference of 32 bits to the last time: put the last time right before this
    // entry.
    stream.lastTime = full;
    stream.seen = true;
  }
}

// About 2 ns an entry: one comparison of the module, one of the clock and one of the id, all well
// predicted, and two stores. Ends at a change of the module, since a batch holds one stream.
size_t WarpReader::readRun(ArrayRef<uint8_t> bytes, uint64_t offset) {
  Stream &stream = streams_[current_];
  uint64_t lastTime = stream.lastTime;
  size_t count = std::min(bytes.size() / entrySize, RecordColumns::capacity);
  columns_.times.resize(count);
  columns_.ids.resize(count);
  uint64_t *times = columns_.times.data();
  int32_t *ids = columns_.ids.data();
  size_t kept = 0;
  size_t read = 0;
  for (; read < count; ++read) {
    const uint8_t *entry = bytes.data() + read * entrySize;
    if (support::endian::read64le(entry) != currentModule_)
      break;
    uint32_t time = support::endian::read32le(entry + 8);
    auto id = int32_t(support::endian::read32le(entry + 12));
    // Modulo 2^32, a wrap is a normal step forward: only a small step back looks different.
    uint32_t step = time - uint32_t(lastTime);
    // If the id is invalid, the whole entry is ignored, including its time.
    if (LLVM_UNLIKELY(!isFunctionId(id))) {
      columns_.notes.push_back(
          {uint32_t(kept), NoteKind::invalidId, 1, placeAt(offset + read * entrySize)});
      skippedBefore_.push_back(uint32_t(kept));
      continue;
    }
    if (LLVM_UNLIKELY(step > UINT32_MAX - smallestWrap + 1) && time < uint32_t(lastTime)) {
      columns_.notes.push_back({uint32_t(kept), NoteKind::timeWentBack, uint64_t(0) - int32_t(step),
                                placeAt(offset + read * entrySize)});
      step = 0;
    }
    lastTime += step;
    times[kept] = lastTime;
    ids[kept] = id;
    ++kept;
  }
  stream.lastTime = lastTime;
  if (runIsPlaced_)
    lastRunTime_ = lastTime;
  columns_.times.resize(kept);
  columns_.ids.resize(kept);
  return read;
}

Expected<bool> WarpReader::next(RecordBatch &batch) {
  columns_.clear();
  skippedBefore_.clear();
  auto window = input_->window(entrySize);
  if (!window)
    return window.takeError();
  if (window->empty())
    return false;
  batchOffset_ = input_->offset();
  if (window->size() < entrySize) {
    // A note needs a stream.
    if (!inRun_)
      if (Error error = startRun(/*moduleId=*/0))
        return error;
    columns_.notes.push_back(
        {0, NoteKind::truncatedEntry, window->size(), placeAt(input_->offset())});
    input_->consume(window->size());
  } else {
    uint64_t moduleId = support::endian::read64le(window->data());
    if (!inRun_ || moduleId != currentModule_)
      if (Error error = startRun(moduleId))
        return error;
    if (!runIsPlaced_)
      if (std::optional<uint32_t> time = firstTimeOfRun(*window))
        placeRun(*time);
    input_->consume(readRun(*window, batchOffset_) * entrySize);
  }
  batch = columns_.batch(current_);
  return true;
}

std::string WarpReader::placeOf(size_t index) const {
  uint64_t entry = index;
  for (uint32_t skipped : skippedBefore_)
    entry += skipped <= index;
  return placeAt(batchOffset_ + entry * entrySize);
}

class WarpWriter : public CallWriter {
public:
  WarpWriter(raw_ostream &os, const RecordWriterContext &context) : CallWriter(context), os_(os) {
    os_ << magic;
  }

  Error writeCalls(const RecordBatch &batch) override;
  Error finish() override;
  std::vector<std::string> omissions() const override;

private:
  void writeEntry(StreamIndex stream, uint64_t moduleId, uint64_t time, int32_t id);

  raw_ostream &os_;
  /// Times of traps on streams of several modules: a trap is of the module whose call it ends,
  /// which the next entry says.
  std::map<StreamIndex, std::vector<uint64_t>> traps_;
  /// The last time of each module of a stream.
  std::map<std::pair<StreamIndex, uint64_t>, uint64_t> lastTimes_;
  uint64_t losses_ = 0;
  uint64_t silences_ = 0;
  /// How often the recorder kept a thread.
  uint64_t pauses_ = 0;
  /// The number of entries with more than a time.
  uint64_t counted_ = 0;
};

void WarpWriter::writeEntry(StreamIndex stream, uint64_t moduleId, uint64_t time, int32_t id) {
  uint64_t &lastTime = lastTimes_.try_emplace({stream, moduleId}, time).first->second;
  // A longer step would be read as a shorter one, or as a step back.
  uint64_t step = time - lastTime;
  silences_ += step >= epochLength ||
               (step > epochLength - smallestWrap && uint32_t(time) < uint32_t(lastTime));
  lastTime = time;
  char entry[entrySize];
  support::endian::write64le(entry, moduleId);
  support::endian::write32le(entry + 8, uint32_t(time));
  support::endian::write32le(entry + 12, uint32_t(id));
  os_.write(entry, entrySize);
}

Error WarpWriter::writeCalls(const RecordBatch &batch) {
  const StreamInfo &stream = context_.header.streams[batch.stream];
  bool hasModules = !stream.windows.empty();
  std::vector<uint64_t> *traps = hasModules ? &traps_[batch.stream] : nullptr;
  for (size_t i = 0; i < batch.size(); ++i) {
    int32_t id = batch.ids[i];
    // Readers of WARP would take it for a function without a name.
    if (std::abs(id) == recordingId) {
      pauses_ += id > 0;
      continue;
    }
    if (!hasModules) {
      writeEntry(batch.stream, stream.moduleId, batch.times[i], id);
      continue;
    }
    if (id == trapId) {
      traps->push_back(batch.times[i]);
      continue;
    }
    auto [moduleId, function] = stream.functionOf(std::abs(id));
    for (uint64_t time : *traps)
      writeEntry(batch.stream, moduleId, time, trapId);
    traps->clear();
    writeEntry(batch.stream, moduleId, batch.times[i], id > 0 ? function : -function);
  }
  counted_ += context_.header.hasTime() && batch.counts.empty() ? 0 : batch.size();
  for (const RecordNote &note : batch.notes)
    losses_ += note.kind == NoteKind::lost;
  return Error::success();
}

// A trap without a later entry concerns no call, whatever the module.
Error WarpWriter::finish() {
  for (const auto &[stream, times] : traps_)
    for (uint64_t time : times)
      writeEntry(stream, context_.header.streams[stream].moduleId, time, trapId);
  return Error::success();
}

std::vector<std::string> WarpWriter::omissions() const {
  std::vector<std::string> result;
  if (losses_ > 0)
    result.push_back(
        countOf(losses_, "place where events were lost", "places where events were lost"));
  const RecordHeader &header = context_.header;
  if (counted_ > 0 && !header.hasTime())
    result.push_back("what its clock is: times there are " + header.measures.front().name);
  if (counted_ > 0 && !header.columns().empty())
    result.push_back("the " + namesOf(header.columns()) + " of " +
                     countOf(counted_, "entry", "entries"));
  if (context_.scale)
    result.push_back("the rate of the clock (--rate=" + context_.scale->toString() + ")");
  if (silences_ > 0)
    result.push_back(countOf(silences_, "silence of about 2^32 counts or more",
                             "silences of about 2^32 counts or more"));
  if (pauses_ > 0)
    result.push_back(countOf(pauses_, "time of the recorder", "times of the recorder"));
  auto named = count_if(context_.header.streams,
                        [](const StreamInfo &stream) { return !stream.name.empty(); });
  if (named > 0)
    result.push_back(countOf(uint64_t(named), "name of a stream", "names of streams"));
  size_t functions = 0;
  for (const RecordedModule &module : context_.header.modules)
    functions += module.functions.size();
  if (functions > 0)
    result.push_back(countOf(functions, "name of a function", "names of functions"));
  append_range(result, CallWriter::omissions());
  return result;
}

class WarpFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".bin"; }
  bool isBinary() const override { return true; }
  bool canRead() const override { return true; }
  bool sniff(ArrayRef<uint8_t> start) const override {
    return toStringRef(start).starts_with(magic);
  }
  Expected<std::unique_ptr<RecordReader>> open(std::unique_ptr<InputStream> input) const override {
    auto reader = std::make_unique<WarpReader>(std::move(input));
    if (Error error = reader->readMagic())
      return error;
    return reader;
  }
  Expected<std::unique_ptr<RecordWriter>>
  create(raw_ostream &os, const RecordWriterContext &context) const override {
    return std::make_unique<WarpWriter>(os, context);
  }
};

warpo::Registry<RecordFormat>::Add<WarpFormat>
    registration("warp", "WARP's binary record, 16 bytes an entry");

} // namespace
