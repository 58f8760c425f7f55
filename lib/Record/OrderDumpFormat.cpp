//===- OrderDumpFormat.cpp - The memory that first executions are in ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The dump of a module instrumented with --order-buffer: a ring of first executions and a bit for
// each function, see docs/order.md. A file has one dump or more, each of an instance. It is read as
// a record with a stream for each, in which each function begins and ends at the time of its rank.
// Functions no longer in the ring were executed first, in unknown order: they come first, by
// ascending id, and count as lost events.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <map>
#include <set>

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral magic = "WRPORDER";
static constexpr uint32_t knownVersion = 1;
static constexpr size_t headSize = 40;
static constexpr size_t entrySize = 4;

namespace {

/// The head, in the order of the file.
struct Head {
  uint32_t capacity;
  uint64_t moduleId;
  uint32_t firstId;
  uint32_t functions;
  uint32_t logged;

  size_t entryBytes() const { return size_t(capacity) * entrySize; }
  size_t size() const { return headSize + entryBytes() + (size_t(functions) + 7) / 8; }
  bool hasFunction(uint32_t id) const { return id >= firstId && id - firstId < functions; }
};

/// The contents of a dump.
struct Dump {
  /// In the order of the ring.
  std::vector<int32_t> logged;
  /// Functions executed before those.
  std::vector<int32_t> overwritten;
  uint64_t badEntries = 0;
  /// The position of its entries.
  uint64_t offset = 0;

  void takeEntries(const Head &head, ArrayRef<uint8_t> entries);
  void takeBits(const Head &head, ArrayRef<uint8_t> bits);
  /// The number of executed functions.
  size_t size() const { return overwritten.size() + logged.size(); }
};

class OrderDumpReader : public RecordSource {
public:
  explicit OrderDumpReader(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  /// All dumps.
  Error read();
  Expected<bool> next(RecordBatch &batch) override;
  std::string placeOf(size_t) const override { return place(dumps_[current_].offset); }
  uint64_t bytesRead() const override { return input_->offset(); }
  std::optional<uint64_t> inputSize() const override { return input_->size(); }

private:
  Expected<Head> readHead();
  Expected<std::vector<uint8_t>> readRest(const Head &head);
  Error readDump();
  Expected<bool> findNext();
  void fillBatch(const Dump &dump);
  std::string place(uint64_t offset) const { return placeInFile(input_->name(), offset); }

  std::unique_ptr<InputStream> input_;
  std::vector<Dump> dumps_;
  /// The number of dumps by module so far.
  std::map<uint64_t, unsigned> instances_;
  RecordColumns columns_;
  // The next entry to return.
  size_t current_ = 0;
  bool hasBegun_ = false;
  size_t given_ = 0;
};

Expected<Head> OrderDumpReader::readHead() {
  auto window = input_->window(headSize);
  if (!window)
    return window.takeError();
  uint64_t begin = input_->offset();
  if (window->size() < headSize)
    return offsetError(input_->name(), begin + window->size(),
                       "the dump is cut off: its head has " + Twine(headSize) + " bytes");
  const uint8_t *at = window->data() + magic.size();
  if (uint32_t version = support::endian::read32le(at); version != knownVersion)
    return offsetError(input_->name(), begin + magic.size(),
                       "version " + Twine(version) + " of order dumps, known is " +
                           Twine(knownVersion));
  Head head;
  head.capacity = support::endian::read32le(at + 4);
  head.moduleId = support::endian::read64le(at + 8);
  head.firstId = support::endian::read32le(at + 16);
  head.functions = support::endian::read32le(at + 20);
  head.logged = support::endian::read32le(at + 24);
  if (head.firstId == 0 || uint64_t(head.firstId) + head.functions > uint64_t(INT32_MAX) + 1)
    return offsetError(input_->name(), begin + 24,
                       countOf(head.functions, "function") + " from id " + Twine(head.firstId) +
                           " on, but ids end at " + Twine(INT32_MAX));
  input_->consume(headSize);
  return head;
}

// Reads entries and bits. The head may claim more than fits into memory, so memory is allocated as
// data arrives.
Expected<std::vector<uint8_t>> OrderDumpReader::readRest(const Head &head) {
  std::vector<uint8_t> bytes;
  size_t wanted = head.size() - headSize;
  while (bytes.size() < wanted) {
    auto window = input_->window(std::min<size_t>(wanted - bytes.size(), 1 << 16));
    if (!window)
      return window.takeError();
    if (window->empty())
      return offsetError(input_->name(), input_->offset(),
                         "the dump is cut off: it has " + Twine(headSize + bytes.size()) + " of " +
                             Twine(head.size()) + " bytes");
    ArrayRef<uint8_t> taken = window->take_front(wanted - bytes.size());
    bytes.insert(bytes.end(), taken.begin(), taken.end());
    input_->consume(taken.size());
  }
  return bytes;
}

void Dump::takeEntries(const Head &head, ArrayRef<uint8_t> entries) {
  size_t count = std::min(head.logged, head.capacity);
  // A full ring begins at its oldest entry.
  size_t oldest = count > 0 && head.logged > count ? head.logged % head.capacity : 0;
  for (size_t i = 0; i != count; ++i) {
    size_t entry = (oldest + i) % head.capacity;
    uint32_t id = support::endian::read32le(entries.data() + entry * entrySize);
    if (head.hasFunction(id))
      logged.push_back(int32_t(id));
    else // 0 is one that was being written when the dump was made; its bit is set.
      badEntries += id != 0;
  }
}

void Dump::takeBits(const Head &head, ArrayRef<uint8_t> bits) {
  std::set<int32_t> known(logged.begin(), logged.end());
  for (uint32_t i = 0; i != head.functions; ++i) {
    auto id = int32_t(head.firstId + i);
    if ((bits[i / 8] >> (i % 8) & 1) && !known.contains(id))
      overwritten.push_back(id);
  }
}

Error OrderDumpReader::readDump() {
  auto head = readHead();
  if (!head)
    return head.takeError();
  Dump &dump = dumps_.emplace_back();
  dump.offset = input_->offset();
  auto rest = readRest(*head);
  if (!rest)
    return rest.takeError();
  unsigned instance = ++instances_[head->moduleId];
  if (!addStream({head->moduleId, instance == 1 ? "" : "instance " + std::to_string(instance)}))
    return offsetError(input_->name(), dump.offset, "more than " + Twine(maxStreams) + " dumps");
  dump.takeEntries(*head, ArrayRef(*rest).take_front(head->entryBytes()));
  dump.takeBits(*head, ArrayRef(*rest).drop_front(head->entryBytes()));
  return Error::success();
}

// Returns whether another dump follows. Memories are padded with zeros; anything else there is
// ignored.
Expected<bool> OrderDumpReader::findNext() {
  for (;;) {
    auto window = input_->window(magic.size());
    if (!window)
      return window.takeError();
    ArrayRef<uint8_t> bytes = *window;
    size_t zeros = size_t(find_if(bytes, [](uint8_t byte) { return byte != 0; }) - bytes.begin());
    if (zeros == 0)
      return toStringRef(bytes).starts_with(magic);
    input_->consume(zeros);
  }
}

Error OrderDumpReader::read() {
  for (;;) {
    if (Error error = readDump())
      return error;
    auto more = findNext();
    if (!more)
      return more.takeError();
    if (!*more)
      return Error::success();
  }
}

void OrderDumpReader::fillBatch(const Dump &dump) {
  columns_.clear();
  if (!hasBegun_) {
    hasBegun_ = true;
    if (!dump.overwritten.empty())
      columns_.notes.push_back(
          {0, NoteKind::lost, dump.overwritten.size(), place(dump.offset), LossCause::bufferFull});
    if (dump.badEntries > 0)
      columns_.notes.push_back({0, NoteKind::invalidId, dump.badEntries, place(dump.offset)});
  }
  for (; given_ < dump.size() && columns_.ids.size() < RecordColumns::capacity; ++given_) {
    bool isOverwritten = given_ < dump.overwritten.size();
    size_t rank = isOverwritten ? 0 : given_ - dump.overwritten.size() + 1;
    int32_t id = isOverwritten ? dump.overwritten[given_] : dump.logged[rank - 1];
    columns_.times.insert(columns_.times.end(), {rank, rank});
    columns_.ids.insert(columns_.ids.end(), {id, -id});
  }
}

Expected<bool> OrderDumpReader::next(RecordBatch &batch) {
  for (;;) {
    fillBatch(dumps_[current_]);
    if (!columns_.empty()) {
      batch = columns_.batch(StreamIndex(current_));
      return true;
    }
    if (current_ + 1 == dumps_.size())
      return false;
    ++current_;
    hasBegun_ = false;
    given_ = 0;
  }
}

class OrderDumpFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".dump"; }
  bool isBinary() const override { return true; }
  bool canRead() const override { return true; }
  bool sniff(ArrayRef<uint8_t> start) const override {
    return toStringRef(start).starts_with(magic);
  }
  Expected<std::unique_ptr<RecordReader>> open(std::unique_ptr<InputStream> input) const override {
    auto reader = std::make_unique<OrderDumpReader>(std::move(input));
    if (Error error = reader->read())
      return error;
    return reader;
  }
};

warpo::Registry<RecordFormat>::Add<OrderDumpFormat>
    registration("order-dump", "first executions, from a module that has no imports");

} // namespace
