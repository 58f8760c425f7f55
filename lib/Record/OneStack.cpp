//===- OneStack.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/OneStack.h"
#include "one-stack/StackOrder.h"
#include "warpo/Support/Errors.h"
#include <algorithm>
#include <optional>

using namespace llvm;
using namespace warpo;

// Entries of all streams together; each stream has a few.
static constexpr size_t maxEntriesAtOnce = size_t(1) << 20;
static constexpr size_t maxPiece = 2048;
static constexpr size_t minPiece = 16;

namespace {

/// Goes through the entries of a stream.
class Cursor {
public:
  Cursor(const EntrySpool &spool, StreamIndex stream, size_t pieceSize)
      : spool_(spool), stream_(stream), pieceSize_(pieceSize) {}

  bool atEnd() const { return at_ == piece_.size() && read_ == spool_.sizeOf(stream_); }
  const KeptEntry &head() const { return piece_[at_]; }
  /// Its number in a column that the stream has.
  uint64_t count(ColumnIndex column) const { return counts_[column][at_]; }
  /// Makes head() valid, unless it is at the end, and half a piece behind it.
  Error load() {
    while (piece_.size() - at_ <= pieceSize_ / 2 && read_ < spool_.sizeOf(stream_)) {
      piece_.erase(piece_.begin(), piece_.begin() + ptrdiff_t(at_));
      for (ColumnIndex column : spool_.columnsOf(stream_))
        counts_[column].erase(counts_[column].begin(), counts_[column].begin() + ptrdiff_t(at_));
      at_ = opening_ = 0;
      size_t kept = piece_.size();
      piece_.resize(kept +
                    size_t(std::min<uint64_t>(pieceSize_ - kept, spool_.sizeOf(stream_) - read_)));
      auto size = spool_.readAt(stream_, read_, MutableArrayRef(piece_).drop_front(kept));
      if (!size)
        return size.takeError();
      piece_.resize(kept + *size);
      for (ColumnIndex column : spool_.columnsOf(stream_)) {
        counts_[column].resize(piece_.size());
        if (Error error = spool_.readCounts(stream_, column, read_,
                                            MutableArrayRef(counts_[column]).drop_front(kept)))
          return error;
      }
      read_ += *size;
    }
    return Error::success();
  }
  Error advance() {
    ++at_;
    return load();
  }

  /// When the first call ends that begins at the time of head() and ends later; 0 if none is in
  /// sight.
  uint64_t opens() {
    uint64_t now = head().time;
    opening_ = std::max(opening_, at_);
    auto opens = [&](const KeptEntry &entry) { return entry.begins() && entry.end > now; };
    while (opening_ < piece_.size() && piece_[opening_].time == now && !opens(piece_[opening_]))
      ++opening_;
    bool found = opening_ < piece_.size() && piece_[opening_].time == now;
    return found ? piece_[opening_].end : 0;
  }

private:
  const EntrySpool &spool_;
  StreamIndex stream_;
  size_t pieceSize_;
  std::vector<KeptEntry> piece_;
  std::array<std::vector<uint64_t>, maxColumns> counts_;
  size_t at_ = 0;
  /// Nothing from at_ to here opens a call.
  size_t opening_ = 0;
  uint64_t read_ = 0;
};

} // namespace

/// The entries read so far, and their order.
class OneStack::Entries {
public:
  EntrySpool &spool() { return spool_; }

  /// All has been read.
  Error start(const RecordHeader &header);
  /// The stream that the next entry is of; nothing at the end.
  std::optional<StreamIndex> stream();
  const Cursor &cursor(StreamIndex stream) const { return cursors_[stream]; }
  /// Goes on behind the next entry.
  Error advance();
  uint64_t passed() const { return passed_; }

private:
  /// Orders the streams: by the time of their next entries, and, if the record is in order, by
  /// where they stand.
  using Key = std::pair<uint64_t, uint64_t>;
  Key keyOf(StreamIndex stream) const {
    const KeptEntry &head = cursors_[stream].head();
    return {head.time, spool_.isInOrder() ? head.number : 0};
  }
  StackOrder &orderOf(StreamIndex stream) { return orders_[stackOf_[stream]]; }
  void wait(StreamIndex stream) { waiting_.insert({keyOf(stream), stream}); }
  void addToOrder(StreamIndex stream);
  void startTime();

  EntrySpool spool_;
  std::vector<Cursor> cursors_;
  std::vector<StreamIndex> stackOf_;
  std::vector<StackOrder> orders_;
  /// Those with entries, but for the ones of the present time that are in an order.
  std::set<std::pair<Key, StreamIndex>> waiting_;
  /// Stacks in whose order there are any.
  std::set<StreamIndex> ordering_;
  /// The stream that comes next; until its next entry, the others need not be looked at.
  std::optional<StreamIndex> next_;
  bool nextIsOrdered_ = false;
  uint64_t passed_ = 0;
};

Error OneStack::Entries::start(const RecordHeader &header) {
  if (Error error = spool_.finish())
    return error;
  size_t pieceSize =
      std::clamp(maxEntriesAtOnce / std::max<size_t>(spool_.streamCount(), 1), minPiece, maxPiece);
  orders_.resize(spool_.streamCount());
  cursors_.reserve(spool_.streamCount());
  for (StreamIndex stream = 0; stream < spool_.streamCount(); ++stream) {
    cursors_.emplace_back(spool_, stream, pieceSize);
    stackOf_.push_back(header.stackOf(stream));
    if (Error error = cursors_.back().load())
      return error;
    if (!cursors_.back().atEnd())
      wait(stream);
  }
  return Error::success();
}

void OneStack::Entries::addToOrder(StreamIndex stream) {
  orderOf(stream).add(stream, cursors_[stream].head(), cursors_[stream].opens());
  ordering_.insert(stackOf_[stream]);
}

// Puts the streams of the next time into the orders of their stacks, unless there is but one.
void OneStack::Entries::startTime() {
  auto first = *waiting_.begin();
  waiting_.erase(waiting_.begin());
  auto isNow = [&] {
    return !waiting_.empty() && waiting_.begin()->first.first == first.first.first;
  };
  if (spool_.isInOrder() || !isNow()) {
    next_ = first.second;
    nextIsOrdered_ = false;
    return;
  }
  addToOrder(first.second);
  for (; isNow(); waiting_.erase(waiting_.begin()))
    addToOrder(waiting_.begin()->second);
}

std::optional<StreamIndex> OneStack::Entries::stream() {
  if (next_)
    return next_;
  if (ordering_.empty()) {
    if (waiting_.empty())
      return std::nullopt;
    startTime();
    if (next_)
      return next_;
  }
  StackOrder &order = orders_[*ordering_.begin()];
  next_ = order.choose();
  nextIsOrdered_ = true;
  if (!order.isWaiting())
    ordering_.erase(ordering_.begin());
  return next_;
}

Error OneStack::Entries::advance() {
  StreamIndex stream = *next_;
  KeptEntry entry = cursors_[stream].head();
  ++passed_;
  if (!spool_.isInOrder())
    orderOf(stream).pass(stream, entry);
  if (Error error = cursors_[stream].advance())
    return error;
  if (cursors_[stream].atEnd()) {
    next_.reset();
    return Error::success();
  }
  // Nothing that happened at the same time comes between a trap and the call that it ends.
  if (entry.isTrap() && cursors_[stream].head().time == entry.time)
    return Error::success();
  if (nextIsOrdered_) {
    next_.reset();
    if (cursors_[stream].head().time == entry.time)
      addToOrder(stream);
    else
      wait(stream);
    return Error::success();
  }
  if (!waiting_.empty() && keyOf(stream) >= waiting_.begin()->first) {
    next_.reset();
    wait(stream);
  }
  return Error::success();
}

OneStack::OneStack(std::unique_ptr<RecordReader> reader, std::string name, bool sharesStacks)
    : RecordFilter(std::move(reader)), name_(std::move(name)),
      entries_(std::make_unique<Entries>()) {
  if (sharesStacks)
    shareStacks();
}

OneStack::~OneStack() = default;

// Entries without an order stay in the batch.
Error OneStack::keep(RecordBatch &batch) {
  const RecordHeader &header = this->header();
  if (!header.hasTime() && header.stackOf(batch.stream) != batch.stream)
    return fileError(name_, "--one-stack: the only clock is " + header.measures.front().name +
                                ", which each module counts for itself: nothing says which entry "
                                "of several modules came first");
  if (Error error = entries_->spool().append(batch, header.stackOf(batch.stream)))
    return error;
  columns_.clear();
  for (const RecordNote &note : batch.notes)
    if (note.kind != NoteKind::lost) {
      columns_.notes.push_back(note);
      columns_.notes.back().position = 0;
    }
  batch.times = {};
  batch.ids = {};
  batch.counts = {};
  batch.notes = columns_.notes;
  return Error::success();
}

Expected<bool> OneStack::handOn(RecordBatch &batch) {
  std::optional<StreamIndex> stream = entries_->stream();
  if (!stream)
    return false;
  columns_.clear();
  stream_ = *stream;
  const ColumnSet &columns = entries_->spool().columnsOf(stream_);
  uint32_t losses = 0;
  do {
    const Cursor &cursor = entries_->cursor(stream_);
    const KeptEntry &entry = cursor.head();
    if (entry.isLoss()) {
      columns_.notes.push_back(entries_->spool().lossOf(entry, uint32_t(columns_.ids.size())));
      ++losses;
    } else {
      columns_.times.push_back(entry.time);
      columns_.ids.push_back(entry.id);
      for (ColumnIndex column : columns)
        columns_.counts[column].push_back(cursor.count(column));
    }
    if (Error error = entries_->advance())
      return error;
  } while (columns_.ids.size() + losses < RecordColumns::capacity && entries_->stream() == stream_);
  batch = columns_.batch(stream_);
  return true;
}

Expected<bool> OneStack::next(RecordBatch &batch) {
  if (isRead_)
    return handOn(batch);
  auto more = reader().next(batch);
  if (!more)
    return more;
  if (*more) {
    if (Error error = keep(batch))
      return error;
    return true;
  }
  isRead_ = true;
  if (Error error = entries_->start(header()))
    return error;
  return handOn(batch);
}

std::string OneStack::placeOf(size_t index) const {
  const RecordHeader &header = this->header();
  auto time = int64_t(columns_.times[index] - header.origin);
  return name_ + ": module " + std::to_string(header.streams[stream_].moduleId) + ", time " +
         std::to_string(time);
}

uint64_t OneStack::bytesRead() const {
  uint64_t read = reader().bytesRead();
  uint64_t size = entries_->spool().size();
  double passed = size == 0 ? 1 : double(entries_->passed()) / double(size);
  return isRead_ ? uint64_t(double(read) * (1 + passed) / 2) : read / 2;
}
