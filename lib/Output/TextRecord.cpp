//===- TextRecord.cpp - Entries of a record as indented text --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One line per entry: the time since the record's first entry, the time since the previous entry of
// the same stream, the amounts counted since then by other measures, and the call, indented by its
// depth. Errors in the record are lines with `!` at their place.
//
//   module 16 (main), times in ns
//              0          0  -> main
//             10         10    -> parse
//             30         20    <- parse
//             50         20  <- main
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/NestingReplay.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include <charconv>

using namespace llvm;
using namespace warpo;

// Deeper calls show their depth as a number: indenting a million nested calls would take terabytes.
static constexpr size_t maxIndentedDepth = 40;
static constexpr size_t timeWidth = 14;
static constexpr size_t differenceWidth = 11;

namespace {

class TextWriter : public CallWriter {
public:
  TextWriter(raw_ostream &os, const RecordWriterContext &context)
      : CallWriter(context), os_(os), nesting_(context.functions, context.header) {}

  Error writeCalls(const RecordBatch &batch) override;
  Error finish() override;

private:
  std::string streamText(StreamIndex stream) const {
    return context_.functions.describe(context_.header.streams[stream]);
  }
  void startStream(const RecordBatch &batch);
  // Holds the difference of two unsigned 64-bit numbers.
  __extension__ using Time = __int128;
  void writeNumber(Time number, size_t width);
  void writeEntry(const RecordBatch &batch, const NestedEntry &entry);
  void writeNote(const RecordNote &note);
  /// The time since the start of the record, in the unit of the output.
  Time timeOf(uint64_t counts) const {
    uint64_t distance = counts < start_ ? start_ - counts : counts - start_;
    if (context_.scale)
      distance = context_.scale->toNanoseconds(distance);
    return counts < start_ ? -Time(distance) : Time(distance);
  }

  raw_ostream &os_;
  NestingReplay nesting_;
  std::optional<StreamIndex> current_;
  bool started_ = false;
  uint64_t start_ = 0;
  /// For each stream the time of its last entry, as written.
  std::vector<std::optional<Time>> lastTimes_;
  std::vector<Counts> lastCounts_;
  std::vector<ColumnSet> columns_;
};

void TextWriter::startStream(const RecordBatch &batch) {
  current_ = batch.stream;
  if (lastTimes_.size() <= batch.stream)
    lastTimes_.resize(batch.stream + 1);
  lastCounts_.resize(lastTimes_.size());
  columns_.resize(lastTimes_.size());
  os_ << streamText(batch.stream) << ", times in "
      << context_.header.timeUnit(context_.scale.has_value());
  StringRef separator = ", and ";
  for (const CountColumns::Column &column : batch.counts) {
    os_ << separator << context_.header.columns()[column.index].name;
    separator = ", ";
  }
  os_ << '\n';
}

void TextWriter::writeNumber(Time number, size_t width) {
  char digits[21] = "-";
  // The difference of two times may need a 65th bit: it saturates at 64 bits.
  auto magnitude = uint64_t(std::min(number < 0 ? -number : number, Time(UINT64_MAX)));
  char *end = std::to_chars(digits + (number < 0), std::end(digits), magnitude).ptr;
  auto length = size_t(end - digits);
  if (length < width)
    os_.indent(unsigned(width - length));
  os_.write(digits, length);
}

void TextWriter::writeEntry(const RecordBatch &batch, const NestedEntry &entry) {
  Time time = timeOf(batch.times[entry.index]);
  std::optional<Time> &lastTime = lastTimes_[batch.stream];
  writeNumber(time, timeWidth);
  os_ << ' ';
  writeNumber(time - lastTime.value_or(time), differenceWidth - 1);
  lastTime = time;
  for (const CountColumns::Column &column : batch.counts) {
    uint64_t count = column.values[entry.index];
    uint64_t &lastCount = lastCounts_[batch.stream][column.index];
    if (columns_[batch.stream].insert(column.index))
      lastCount = count;
    os_ << ' ';
    writeNumber(Time(count - lastCount), differenceWidth - 1);
    lastCount = count;
  }
  os_.indent(unsigned(2 + 2 * std::min(entry.depth, maxIndentedDepth)));
  if (entry.depth > maxIndentedDepth)
    os_ << '[' << entry.depth << "] ";
  if (entry.function == noFunction) {
    os_ << "a trap ended\n";
    return;
  }
  os_ << (entry.begins ? "-> " : "<- ") << displayName(context_.functions[entry.function].name);
  if (!entry.matched)
    os_ << " ! no such call is open";
  if (entry.isTrapped && !entry.unwound.empty())
    os_ << " and " << countOf(entry.unwound.size(), "call") << " above it";
  else if (!entry.unwound.empty())
    os_ << " ! " << countOf(entry.unwound.size(), "call") << " above it without an end";
  os_ << '\n';
}

void TextWriter::writeNote(const RecordNote &note) {
  os_.indent(timeWidth + differenceWidth + 2)
      << "! " << describe(note, context_.header.columns()) << '\n';
}

Error TextWriter::writeCalls(const RecordBatch &batch) {
  if (current_ != batch.stream)
    startStream(batch);
  if (!started_ && batch.size() > 0) {
    started_ = true;
    start_ = batch.times.front();
  }
  nesting_.replay(
      batch, [&](const RecordNote &note) { writeNote(note); },
      [&](const NestedEntry &entry) { writeEntry(batch, entry); });
  return Error::success();
}

Error TextWriter::finish() {
  for (StreamIndex stream = 0; stream < lastTimes_.size(); ++stream)
    if (size_t open = nesting_.openCalls(stream).size())
      os_ << "! at the end, " << countOf(open, "call") << " of " << streamText(stream)
          << (open == 1 ? " is" : " are") << " open\n";
  return Error::success();
}

class TextFormat : public RecordFormat {
public:
  StringRef extension() const override { return ".txt"; }
  bool isBinary() const override { return false; }
  Expected<std::unique_ptr<RecordWriter>>
  create(raw_ostream &os, const RecordWriterContext &context) const override {
    return std::make_unique<TextWriter>(os, context);
  }
};

warpo::Registry<RecordFormat>::Add<TextFormat>
    registration("text", "calls by name, indented by depth, for people (can only be written)");

} // namespace
