//===- WarpFormat.cpp - WARP's binary record ------------------------------===//
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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <climits>
#include <unordered_map>

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral magic = "___WARP_TRACE___";
static constexpr size_t entrySize = 16;
static constexpr uint32_t smallestWrap = 1u << 20;
static constexpr uint64_t epochLength = uint64_t(1) << 32;
// Not 0: the run of another module, later in the file, may have begun before the first wrap.
static constexpr uint64_t firstEpoch = epochLength;

// Each stream needs memory of its own: a file of random bytes must not look like a million modules.
static constexpr size_t maxModules = 1 << 16;

namespace {

class WarpReader : public RecordReader {
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
  std::string placeAt(uint64_t offset) const {
    return (input_->name() + ":0x" + utohexstr(offset, /*LowerCase=*/true)).str();
  }
  Error startRun(uint64_t moduleId, uint32_t time);
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
  RecordColumns columns_;
  /// Of each entry that stands in columns_, where its bytes begin; entries that are left out make
  /// this uneven.
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

Error WarpReader::startRun(uint64_t moduleId, uint32_t time) {
  uint64_t previous = inRun_ ? streams_[current_].lastTime : firstEpoch + time;
  auto [entry, isNew] = streamOfModule_.try_emplace(moduleId, StreamIndex(streams_.size()));
  if (isNew) {
    if (streams_.size() == maxModules)
      return offsetError(input_->name(), input_->offset(),
                         "more than " + Twine(maxModules) + " modules in one record");
    streams_.emplace_back();
    header_.streams.push_back({moduleId, ""});
  }
  current_ = entry->second;
  currentModule_ = moduleId;
  inRun_ = true;

  Stream &stream = streams_[current_];
  uint64_t full = (previous & ~(epochLength - 1)) | time;
  if (full < previous && previous - full >= epochLength / 2)
    full += epochLength;
  else if (full > previous && full - previous > epochLength / 2 && full >= epochLength)
    full -= epochLength;
  if (stream.seen && full < stream.lastTime) {
    // The rule of a wrap within the module decides, below, whether this is a step back of its
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
  return Error::success();
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
    // Modulo 2^32, a wrap is a step forward like any other: only a small step back looks different.
    uint32_t step = time - uint32_t(lastTime);
    if (LLVM_UNLIKELY(step > UINT32_MAX - smallestWrap + 1) && time < uint32_t(lastTime)) {
      columns_.notes.push_back({uint32_t(kept), NoteKind::timeWentBack, uint64_t(0) - int32_t(step),
                                placeAt(offset + read * entrySize)});
      step = 0;
    }
    if (LLVM_UNLIKELY(id == 0 || id == INT32_MIN)) {
      columns_.notes.push_back(
          {uint32_t(kept), NoteKind::invalidId, 1, placeAt(offset + read * entrySize)});
      skippedBefore_.push_back(uint32_t(kept));
      continue;
    }
    lastTime += step;
    times[kept] = lastTime;
    ids[kept] = id;
    ++kept;
  }
  stream.lastTime = lastTime;
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
    columns_.notes.push_back(
        {0, NoteKind::truncatedEntry, window->size(), placeAt(input_->offset())});
    if (!inRun_)
      if (Error error = startRun(/*moduleId=*/0, /*time=*/0))
        return error;
    input_->consume(window->size());
  } else {
    uint64_t moduleId = support::endian::read64le(window->data());
    if (!inRun_ || moduleId != currentModule_)
      if (Error error = startRun(moduleId, support::endian::read32le(window->data() + 8)))
        return error;
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

class WarpWriter : public RecordWriter {
public:
  WarpWriter(raw_ostream &os, const RecordHeader &header) : os_(os), header_(header) {
    os_ << magic;
  }

  Error write(const RecordBatch &batch) override {
    uint64_t moduleId = header_.streams[batch.stream].moduleId;
    for (size_t i = 0; i < batch.size(); ++i) {
      char entry[entrySize];
      support::endian::write64le(entry, moduleId);
      support::endian::write32le(entry + 8, uint32_t(batch.times[i]));
      support::endian::write32le(entry + 12, uint32_t(batch.ids[i]));
      os_.write(entry, entrySize);
    }
    return Error::success();
  }
  Error finish() override { return Error::success(); }

private:
  raw_ostream &os_;
  const RecordHeader &header_;
};

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
    return std::make_unique<WarpWriter>(os, context.header);
  }
};

warpo::Registry<RecordFormat>::Add<WarpFormat>
    registration("warp", "WARP's binary record, 16 bytes an entry");

} // namespace
