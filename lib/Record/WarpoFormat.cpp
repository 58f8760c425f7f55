//===- WarpoFormat.cpp - warpo's own binary record ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/record-format.md is its grammar; the words here are the same.
//
//===----------------------------------------------------------------------===//

#include "warpo-format/BlockReader.h"
#include "warpo-format/BlockSelection.h"
#include "warpo-format/DeclarationReader.h"
#include "warpo-format/EventDecoder.h"
#include "warpo-format/SideBlocks.h"
#include "warpo-format/WarpoWriter.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <utility>

using namespace llvm;
using namespace warpo;

// After so many bytes without an entry a batch is due, so that progress is shown.
static constexpr uint64_t maxSilence = 1 << 20;

namespace {

class WarpoReader : public DeclarationReader {
public:
  explicit WarpoReader(std::unique_ptr<InputStream> input)
      : DeclarationReader(std::move(input)), blocks_(*input_) {
    auto add = [this]<typename Entry>(const char *, const char *, const std::vector<Entry> &) {
      sideDecoders_.push_back(makeSideDecoder<Entry>(*this));
    };
    forEachSideKind(add, columns_.beside);
  }

  /// Reads what stands before the first events.
  Error open();
  Expected<bool> declareAhead() override;
  Expected<bool> addColumnsAhead() override;
  Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to) override;
  Expected<bool> next(RecordBatch &batch) override;
  std::string placeOf(size_t) const override { return placeAt(batchOffset_); }
  uint64_t bytesRead() const override;

private:
  /// Stands for a gap of one stream alone.
  static constexpr uint64_t ownGap = UINT64_MAX;
  struct Stream {
    uint64_t lastTime = 0;
    Counts lastCounts = {};
    /// gaps_ if nothing of it can have been skipped since its last entry.
    uint64_t knownGaps = 0;
    /// An entry after the window has been read.
    bool isPast = false;
  };

  /// Reads blocks until one with entries has begun, or until a batch is due without it;
  /// false at the end of the record.
  Expected<bool> advance();
  /// Calls `read` with each block from here to the end that has no entries, without moving. False
  /// if the input cannot seek.
  Expected<bool> lookAhead(function_ref<void(const Block &, ByteCursor &)> read);
  /// Whether the block has more to decode.
  bool isInBlock() const { return inEvents_ || inSide_; }
  bool read(Block &block);
  /// The record has the version of this signature, which stands at `offset`, from there on.
  Error takeVersion(ArrayRef<uint8_t> signature, uint64_t offset);
  /// Gives streams that were declared their state.
  void addStreamStates();
  bool readEnd(ByteCursor &cursor);
  bool beginEvents(ByteCursor &cursor);
  Error leaveOut();
  /// The clocks of a block of events; nothing if it has one that was not declared.
  std::optional<BlockClocks> readBlockClocks(ByteCursor &cursor) const;
  /// The decoder of such blocks; null if they are no side entries.
  SideDecoder *sideDecoderOf(uint8_t kind) const;
  bool beginSide(SideDecoder &decoder, ByteCursor &cursor);
  /// What lies from `offset` to `end` is left out, and may have been of any stream; `bytes` of it
  /// count.
  void skip(uint64_t bytes, uint64_t offset, uint64_t end);
  void noteSkipped(uint64_t bytes, uint64_t offset, uint64_t end);
  void decodeBatch();
  void decodeSide();
  void takePendingNotes();

  BlockReader blocks_;
  Block block_;
  EventDecoder decoder_;
  std::vector<std::unique_ptr<SideDecoder>> sideDecoders_;
  /// No block of a kind that is known may have further fields.
  bool knowsAllFields_ = true;
  bool inEvents_ = false;
  /// Of the block of side entries that is being decoded.
  SideDecoder *inSide_ = nullptr;
  bool isClosed_ = false;
  bool atEnd_ = false;
  StreamIndex current_ = 0;
  std::vector<Stream> streams_;
  /// How often something was skipped that may have been any stream's.
  uint64_t gaps_ = 0;
  /// The choice of keepOnly().
  BlockSelection selection_;
  uint64_t keptTo_ = UINT64_MAX;
  /// The block that is next begins a stream in its middle.
  bool isStart_ = false;
  RecordColumns columns_;
  /// How many events are lost by what the streams say.
  uint64_t declaredLost_ = 0;
  /// Where the bytes end that the last of pending_ says were skipped.
  uint64_t skippedTo_ = 0;
  uint64_t batchOffset_ = 0;
};

Error WarpoReader::open() {
  auto window = input_->window(warpo_signature_size);
  if (!window)
    return window.takeError();
  StringRef start = toStringRef(*window).take_front(warpo_signature_size);
  if (start.size() < warpo_signature_size ||
      !start.starts_with(StringRef(WARPO_SIGNATURE, warpo_version_offset)))
    return offsetError(input_->name(), 0, "not a warpo record: it has another signature");
  if (Error error = takeVersion(*window, 0))
    return error;
  input_->consume(warpo_signature_size);
  while (!atEnd_ && !isInBlock() && pending_.size() < RecordColumns::capacity)
    if (auto more = advance(); !more)
      return more.takeError();
  return Error::success();
}

Error WarpoReader::takeVersion(ArrayRef<uint8_t> signature, uint64_t offset) {
  uint8_t version = signature[warpo_version_offset];
  if (version < warpo_version_plain || version > warpo_version_stacks)
    return offsetError(input_->name(), offset + warpo_version_offset,
                       "a warpo record of version " + Twine(unsigned(version)) +
                           "; this program knows 1 and 2");
  version_ = version;
  knowsAllFields_ = signature[warpo_version_offset + 1] == 0;
  return Error::success();
}

void WarpoReader::addStreamStates() {
  while (streams_.size() < header_.streams.size()) {
    streams_.emplace_back();
    streams_.back().knownGaps = gaps_;
  }
}

Expected<bool> WarpoReader::declareAhead() {
  auto isRead = lookAhead([this](const Block &block, ByteCursor &cursor) {
    readAhead(block.kind, cursor, block.offset);
  });
  addStreamStates();
  return isRead;
}

Expected<bool> WarpoReader::addColumnsAhead() {
  return lookAhead(
      [this](const Block &block, ByteCursor &cursor) { addColumnAhead(block.kind, cursor); });
}

// Blocks of entries are passed by their sizes: of each the header is read, 16 bytes.
// Where these do not fit, the next whole block is searched for.
Expected<bool> WarpoReader::lookAhead(function_ref<void(const Block &, ByteCursor &)> read) {
  if (!input_->canSeek())
    return false;
  if (atEnd_)
    return true;
  bool isBegun = isInBlock();
  uint64_t next = isBegun ? block_.offset : blocks_.position();
  BlockReader ahead(*input_);
  if (Error error = ahead.seek(next))
    return error;
  uint8_t version = version_;
  Block block;
  for (bool more = true; more;) {
    std::array<uint8_t, warpo_block_header_size> bytes;
    auto got = input_->readAt(ahead.position(), bytes);
    if (!got)
      return got.takeError();
    warpo_block_header header;
    bool isBlock = *got == bytes.size() && warpo_get_block_header(bytes.data(), &header);
    uint64_t end = ahead.position() + bytes.size() + (isBlock ? header.size : 0);
    if (isBlock && end <= *input_->size() &&
        (header.kind == warpo_block_events || sideDecoderOf(header.kind))) {
      if (Error error = ahead.seek(end))
        return error;
      continue;
    }
    auto found = ahead.next(block);
    if (!found)
      return found.takeError();
    more = *found;
    if (!more || block.isCompressed)
      continue;
    if (block.isSignature)
      version_ = std::max(version_, block.payload[warpo_version_offset]);
    ByteCursor cursor(block.payload);
    if (!block.isSignature)
      read(block, cursor);
  }
  inEvents_ = false;
  inSide_ = nullptr;
  version_ = version;
  if (Error error = blocks_.seek(next))
    return error;
  // The block of the first entries begins again.
  if (isBegun)
    if (Error error = advance().takeError())
      return error;
  return true;
}

// The first block of events need not have the earliest: of several streams, each writes a block
// when it has enough of them. It may have no entry in an index that is not to be trusted, so it is
// decoded too, and then what was read is read once more: most likely it lies before the window.
Expected<std::optional<uint64_t>> WarpoReader::keepOnly(uint64_t from, uint64_t to) {
  if (!inEvents_ || !pending_.empty() || !input_->canSeek())
    return std::nullopt;
  RecordColumns first;
  decoder_.decode(first);
  std::optional<uint64_t> start;
  if (!first.times.empty()) {
    auto selection = BlockSelection::create(*input_);
    if (!selection)
      return selection.takeError();
    if (std::optional<uint64_t> earliest = selection->earliest()) {
      start = std::min(*earliest, first.times.front());
      if (from > 0 || to < UINT64_MAX) {
        if (Error error = selection->leaveOutBefore(SaturatingAdd(from, *start), *input_))
          return error;
        keptTo_ = SaturatingAdd(to, *start);
      }
    }
    if (selection->misfit()) {
      pending_.push_back({0, NoteKind::unusableIndex, 1, placeAt(*selection->misfit())});
      start.reset();
    } else if (from > 0 || to < UINT64_MAX) {
      selection_ = std::move(*selection);
    }
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
    std::optional<StreamIndex> stream = findStream(block->stream);
    bool isPast = stream && streams_[*stream].isPast;
    if (!block->isBefore && !isPast) {
      isStart_ = block->isStart;
      break;
    }
    if (Error error = blocks_.seek(block->offset + block->size))
      return error;
  }
  return Error::success();
}

// Losses of streams that the record does not have are counted here alone.
bool WarpoReader::readEnd(ByteCursor &cursor) {
  cursor.u64(); // of the index
  cursor.u64(); // events
  uint64_t lost = cursor.u64();
  if (!cursor.ok())
    return false;
  isClosed_ = true;
  if (selection_.empty() && lost > declaredLost_)
    pending_.push_back({0, NoteKind::lostSomewhere, lost - declaredLost_, placeAt(block_.offset)});
  return true;
}

std::optional<BlockClocks> WarpoReader::readBlockClocks(ByteCursor &cursor) const {
  BlockClocks clocks;
  for (uint64_t count = cursor.uleb64(); count > 0; --count) {
    auto known = furtherClocks_.find(cursor.uleb64());
    uint64_t base = cursor.u64();
    if (!cursor.ok() || known == furtherClocks_.end())
      return std::nullopt;
    BlockClocks::Clock clock{known->first, known->second};
    // The first of two clocks of one measure counts.
    if (clock.column && clocks.columns.insert(*clock.column))
      clocks.bases[*clock.column] = base;
    else
      clock.column.reset();
    clocks.clocks.push_back(clock);
  }
  return clocks;
}

bool WarpoReader::beginEvents(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  uint64_t base = cursor.u64();
  std::optional<BlockClocks> clocks = readBlockClocks(cursor);
  std::optional<StreamIndex> stream = findStream(number);
  if (!cursor.ok() || !clocks || !stream)
    return false;
  current_ = *stream;
  Stream &state = streams_[current_];
  clocks->before = state.lastCounts;
  if (base < state.lastTime) {
    pending_.push_back({0, NoteKind::timeWentBack, state.lastTime - base, placeAt(block_.offset)});
    base = state.lastTime;
  }
  inEvents_ = decoder_.begin(cursor, base, *clocks);
  if (inEvents_ && isStart_) {
    state.knownGaps = gaps_;
    decoder_.addContext(columns_);
  }
  return inEvents_;
}

SideDecoder *WarpoReader::sideDecoderOf(uint8_t kind) const {
  for (const std::unique_ptr<SideDecoder> &decoder : sideDecoders_)
    if (decoder->kind() == kind)
      return decoder.get();
  return nullptr;
}

bool WarpoReader::beginSide(SideDecoder &decoder, ByteCursor &cursor) {
  if (!decoder.begin(cursor))
    return false;
  current_ = decoder.stream();
  if (uint64_t back = decoder.wentBack())
    pending_.push_back({0, NoteKind::timeWentBack, back, placeAt(block_.offset)});
  inSide_ = &decoder;
  return true;
}

bool WarpoReader::read(Block &block) {
  SideDecoder *side = sideDecoderOf(block.kind);
  bool mayBeCompressed = block.kind == warpo_block_events || (side && side->mayBeCompressed());
  if (block.isCompressed && mayBeCompressed && !blocks_.decompress(block))
    return false;
  if (block.isCompressed && !mayBeCompressed)
    return block.kind > warpo_last_block_kind;
  ByteCursor cursor(block.payload, block.offset + warpo_block_header_size);
  if (block.kind == warpo_block_events)
    return beginEvents(cursor);
  if (side)
    return beginSide(*side, cursor);
  bool isSound = block.kind == warpo_block_end ? readEnd(cursor)
                                               : readDeclaration(block.kind, cursor, block.offset);
  addStreamStates();
  if (!isSound)
    return false;
  // Such as of a writer that takes a number of this format for one of another size: what was read
  // is then not what was meant.
  if (knowsAllFields_ && !cursor.atEnd())
    noteSkipped(cursor.remaining(), cursor.offset(), blocks_.position());
  return true;
}

// In constant time, as a record may be nothing but streams and nonsense.
void WarpoReader::noteSkipped(uint64_t bytes, uint64_t offset, uint64_t end) {
  bool goesOn = !pending_.empty() && pending_.back().kind == NoteKind::skippedBytes &&
                (skippedTo_ == offset || pending_.size() >= RecordColumns::capacity);
  if (goesOn)
    pending_.back().count += bytes;
  else
    pending_.push_back({0, NoteKind::skippedBytes, bytes, placeAt(offset)});
  skippedTo_ = end;
}

void WarpoReader::skip(uint64_t bytes, uint64_t offset, uint64_t end) {
  ++gaps_;
  noteSkipped(bytes, offset, end);
}

Expected<bool> WarpoReader::advance() {
  uint64_t start = blocks_.position();
  while (!atEnd_) {
    if (Error error = leaveOut())
      return error;
    auto more = blocks_.next(block_);
    if (!more)
      return more.takeError();
    if (uint64_t skipped = blocks_.skippedBytes(); skipped && blocks_.isCutOff()) {
      ++gaps_;
      pending_.push_back({0, NoteKind::truncatedEntry, skipped, placeAt(blocks_.skippedFrom())});
    } else if (skipped)
      skip(skipped, blocks_.skippedFrom(), blocks_.skippedFrom() + skipped);
    if (*more && block_.isSignature) {
      if (block_.payload[warpo_version_offset] < version_)
        skip(block_.payload.size(), block_.offset, blocks_.position());
      else if (Error error = takeVersion(block_.payload, block_.offset))
        return error;
      continue;
    }
    if (!*more) {
      atEnd_ = true;
      if (!isClosed_)
        pending_.push_back({0, NoteKind::notClosed, 1, placeAt(input_->offset())});
      break;
    }
    uint64_t size = block_.payload.size();
    if (!read(block_))
      skip(size, block_.offset, blocks_.position());
    if (isInBlock())
      return true;
    bool isDue =
        pending_.size() >= RecordColumns::capacity || blocks_.position() - start > maxSilence;
    if (isDue && !streams_.empty())
      return true;
  }
  return false;
}

/// Fills columns_ from the block.
void WarpoReader::decodeBatch() {
  Stream &stream = streams_[current_];
  takePendingNotes();
  if (stream.knownGaps != gaps_)
    columns_.notes.push_back({0, NoteKind::lost, 0, placeAt(block_.offset)});
  stream.knownGaps = gaps_;
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
    stream.knownGaps = ownGap;
  }
  stream.lastTime = decoder_.lastTime();
  if (!columns_.times.empty() && columns_.times.back() > keptTo_)
    stream.isPast = true;
  stream.lastCounts = decoder_.lastCounts();
  inEvents_ = good && !decoder_.atEnd();
  for (RecordNote &note : columns_.notes) {
    declaredLost_ += note.kind == NoteKind::lost ? note.count : 0;
    if (note.place.empty())
      note.place = placeAt(batchOffset_);
  }
}

/// The same for side entries.
void WarpoReader::decodeSide() {
  takePendingNotes();
  batchOffset_ = block_.offset;
  std::string place = placeAt(batchOffset_);
  bool good = inSide_->decode(columns_, place);
  if (!good)
    columns_.notes.push_back(
        {0, NoteKind::skippedBytes, uint64_t(block_.payload.end() - inSide_->position()), place});
  if (!good || inSide_->atEnd())
    inSide_ = nullptr;
}

void WarpoReader::takePendingNotes() {
  columns_.notes.insert(columns_.notes.end(), std::make_move_iterator(pending_.begin()),
                        std::make_move_iterator(pending_.end()));
  pending_.clear();
}

Expected<bool> WarpoReader::next(RecordBatch &batch) {
  columns_.clear();
  uint64_t start = blocks_.position();
  do {
    if (!isInBlock())
      if (auto more = advance(); !more)
        return more.takeError();
    if (inEvents_) {
      decodeBatch();
    } else if (inSide_) {
      decodeSide();
    } else {
      // Samples found only now belong to the last stream.
      batchOffset_ = input_->offset();
      if (streams_.empty() && !pending_.empty())
        return offsetError(input_->name(), warpo_signature_size,
                           pending_.front().kind == NoteKind::lostSomewhere
                               ? "no events: " + describe(pending_.front(), header_.columns())
                               : "no stream of the record can be read");
      takePendingNotes();
      if (atEnd_ && columns_.empty())
        return false;
      break;
    }
  } while (columns_.empty() && !isInBlock() && blocks_.position() - start <= maxSilence);
  batch = columns_.batch(current_);
  return true;
}

uint64_t WarpoReader::bytesRead() const {
  if (!inEvents_ || block_.payload.empty())
    return blocks_.position();
  // A compressed block may hold most of a record's events.
  auto left = uint64_t(block_.payload.end() - decoder_.position());
  return blocks_.position() - blocks_.storedSize() * left / block_.payload.size();
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
