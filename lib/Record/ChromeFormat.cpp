//===- ChromeFormat.cpp - Trace events as a record ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file  := "[" event ("," event)* "]"?  |  {"traceEvents": [event...], ...}
//   event := {"ph": "B" | "E" | "X", "ts", "dur"?, "name"?, "pid"?, "tid"?, ...}
//          | {"ph": "M", "name": "process_name" | "thread_name", "pid", "tid"?, "args": {"name"}}
//
// Written by Chrome and many others, including our own backend. A thread is a stream, a name a
// function; events of the host from our backend (X, of the category `host`, on separate threads)
// are phases. Times are microseconds, read as whole nanoseconds. Events need not be sorted, nor
// grouped by thread: all are read before the first is returned. Other events (instants, counters,
// flows, …) are not calls, and only counted.
//
//===----------------------------------------------------------------------===//

#include "chrome-format/NestedCalls.h"
#include "warpo/Record/InputRemarks.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include <array>

using namespace llvm;
using namespace warpo;

namespace {

class ChromeReader : public RecordSource, public InputRemarks {
public:
  explicit ChromeReader(std::unique_ptr<InputStream> input) : input_(std::move(input)) {}

  /// The whole trace.
  Error read();
  std::vector<std::string> remarks() const override;
  Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to) override;
  Expected<bool> next(RecordBatch &batch) override;
  std::string placeOf(size_t index) const override {
    return place(calls_[stream_][batchAt_ + index].offset);
  }
  uint64_t bytesRead() const override { return input_->offset(); }
  std::optional<uint64_t> inputSize() const override { return input_->size(); }

private:
  std::string place(uint64_t offset) const { return placeInFile(input_->name(), offset); }
  uint64_t countsOf(int64_t time) const { return header_.origin + uint64_t(time); }
  int32_t unnamedId() const { return int32_t(events_.names.size() + 1); }
  void declare();
  void addNotes();

  std::unique_ptr<InputStream> input_;
  TraceEvents events_;
  /// By stream.
  std::vector<std::vector<CallEntry>> calls_;
  RecordColumns columns_;
  /// The next entry to return.
  size_t stream_ = 0;
  size_t given_ = 0;
  /// The number of complete calls whose end was moved.
  uint64_t cut_ = 0;
  /// Index of the last batch's first entry.
  size_t batchAt_ = 0;
  bool hasNotes_ = false;
};

} // namespace

Error ChromeReader::read() {
  if (Error error = events_.read(*input_))
    return error;
  if (events_.threads.empty() && (events_.unusableBytes > 0 || events_.cutBytes > 0))
    return offsetError(input_->name(),
                       events_.unusableBytes > 0 ? events_.unusableAt : events_.cutAt,
                       "none of the trace's calls has a valid time");
  header_.measures.front().scale = TimeScale();
  if (events_.firstTime < 0)
    header_.origin = uint64_t(-events_.firstTime);
  declare();
  for (TraceThread &thread : events_.threads) {
    NestedCalls nested = nestCalls(std::move(thread.events), unnamedId());
    calls_.push_back(std::move(nested.entries));
    cut_ += nested.cut;
  }
  return Error::success();
}

void ChromeReader::declare() {
  RecordedModule module;
  for (const auto &[number, name] : enumerate(events_.names))
    module.addFunction(int32_t(number + 1), name);
  if (events_.hasBareEnds)
    module.addFunction(unnamedId(), "(unnamed end)");
  // Traces with the same functions get the same module when they are shown together.
  BLAKE3 hasher;
  for (const std::string &name : events_.names) {
    std::array<uint8_t, sizeof(uint64_t)> size;
    support::endian::write64le(size.data(), name.size());
    hasher.update(size);
    hasher.update(name);
  }
  module.hash = toStringRef(hasher.final()).str();
  addModule(std::move(module));
  for (const TraceThread &thread : events_.threads) {
    // Threads without a number must not look like one thread.
    uint64_t number = thread.number != 0 ? thread.number : UINT64_MAX - header_.streams.size();
    addStream({.moduleId = 0, .name = thread.name, .thread = number});
  }
  for (TracePhase &phase : events_.phases)
    addPhase({.name = std::move(phase.name),
              .begin = countsOf(phase.begin),
              .end = countsOf(phase.end),
              .unit = std::move(phase.unit),
              .ticks = phase.ticks});
}

std::vector<std::string> ChromeReader::remarks() const {
  std::vector<std::string> remarks;
  std::vector<std::string> others;
  for (const auto &[singular, other] : events_.others)
    others.push_back(countOf(other.count, singular, other.plural));
  if (!others.empty())
    remarks.push_back("left out, since they are not calls: " + join(others, ", "));
  if (cut_ > 0)
    remarks.push_back(countOf(cut_, "call was", "calls were") +
                      " to end after the one around it: cut there");
  return remarks;
}

// Threads are returned one after another, so the first entry need not be the earliest.
Expected<std::optional<uint64_t>> ChromeReader::keepOnly(uint64_t, uint64_t) {
  std::optional<uint64_t> earliest;
  for (const std::vector<CallEntry> &calls : calls_)
    if (!calls.empty())
      earliest = std::min(earliest.value_or(UINT64_MAX), countsOf(calls.front().time));
  return earliest;
}

// Damage of the trace is reported before the first call.
void ChromeReader::addNotes() {
  if (events_.unusableBytes > 0)
    columns_.notes.push_back(
        {0, NoteKind::skippedBytes, events_.unusableBytes, place(events_.unusableAt)});
  if (events_.cutBytes > 0)
    columns_.notes.push_back({0, NoteKind::truncatedEntry, events_.cutBytes, place(events_.cutAt)});
}

Expected<bool> ChromeReader::next(RecordBatch &batch) {
  columns_.clear();
  if (stream_ < calls_.size() && given_ == calls_[stream_].size()) {
    calls_[stream_++] = {};
    given_ = 0;
  }
  if (stream_ == calls_.size())
    return false;
  if (!std::exchange(hasNotes_, true))
    addNotes();
  batchAt_ = given_;
  ArrayRef<CallEntry> left = ArrayRef(calls_[stream_]).drop_front(given_);
  for (const CallEntry &entry : left.take_front(RecordColumns::capacity)) {
    columns_.times.push_back(countsOf(entry.time));
    columns_.ids.push_back(entry.id);
  }
  given_ += columns_.ids.size();
  batch = columns_.batch(StreamIndex(stream_));
  return true;
}

namespace {

/// The first keys of files by Chrome, Perfetto and PyTorch. Files of other formats do not begin
/// with any of them.
constexpr StringLiteral leadingKeys[] = {
    "metadata",         "schemaVersion",     "displayTimeUnit",    "otherData",
    "deviceProperties", "systemTraceEvents", "powerTraceAsString", "controllerTraceDataKey"};

StringRef firstKey(StringRef members) {
  members = members.ltrim(" \t\r\n");
  return members.consume_front("\"") ? members.split('"').first : StringRef();
}

class ChromeFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".json"; }
  bool isBinary() const override { return false; }
  bool canRead() const override { return true; }
  bool sniff(ArrayRef<uint8_t> start) const override {
    StringRef text = toStringRef(start);
    text.consume_front("\xEF\xBB\xBF");
    text = text.ltrim(" \t\r\n");
    if (text.consume_front("["))
      return text.contains("\"ph\"");
    if (!text.consume_front("{"))
      return false;
    // The part before the events may be long.
    return text.contains("\"traceEvents\"") || is_contained(leadingKeys, firstKey(text));
  }
  Expected<std::unique_ptr<RecordReader>> open(std::unique_ptr<InputStream> input) const override {
    auto reader = std::make_unique<ChromeReader>(std::move(input));
    if (Error error = reader->read())
      return error;
    return reader;
  }
};

warpo::Registry<RecordFormat>::Add<ChromeFormat>
    registration("chrome", "JSON trace events of Chrome and others (can only be read)");

} // namespace
