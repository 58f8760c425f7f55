//===- ParquetTimelineBackend.cpp - Every call as a row of a table --------===//
// SPDX-License-Identifier: Apache-2.0
//
//   stream, stream_number, function, caller, depth, path, start_ns, duration_ns, self_ns
//
// plus two columns for each further measure, such as `fuel_total` and `fuel_self`, and a column for
// each label. `caller` is null and `depth` 1 for calls from the host; `path` is a number for the
// stack from the host to the function, the same as in tables of profiles. A lost range is a row of
// the function `[lost]`. Rows are in the order in which calls began, except that a call longer than
// its group of rows is written with a later group.
//
//===----------------------------------------------------------------------===//

#include "parquet/PathId.h"
#include "parquet/TableColumns.h"
#include "timeline/BatchWalk.h"
#include "timeline/StreamStates.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Record/LateColumns.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

// A megabyte per column of numbers: readers distribute groups over threads.
static constexpr size_t groupRows = 128 << 10;

namespace {

struct OpenCall {
  size_t row;
  uint64_t begin;
  uint64_t inCallees;
  PathId path;
  /// The function's name in the pool of texts.
  uint32_t text;
};

/// The columns' values when an open call began, and the share of its callees.
struct OpenCounts {
  uint8_t known;
  Counts begin;
  Counts inCallees;
};

struct StreamState {
  StreamClock clock;
  StreamIndex index = 0;
  uint32_t name = TextPool::none;
  std::vector<OpenCall> open;
  /// One for each open call, if the record has columns.
  std::vector<OpenCounts> openCounts;
  /// The columns' current values, and a bit for each that is known.
  Counts counts = {};
  uint8_t known = 0;
};

class ParquetTimelineBackend : public CallTimeline {
public:
  StringRef extension() const override { return ".parquet"; }
  bool isBinary() const override { return true; }
  bool saysUnit() const override { return true; }
  bool takesColumns() const override { return true; }
  bool showsLabels() const override { return true; }
  bool formsFolders() const override { return true; }

  Error begin(const TimelineInfo &info, const TimelineOptions &, raw_ostream &os) override {
    info_.emplace(info);
    knownColumns_.emplace(info.header);
    hasCounts_ = !info.header.columns().empty();
    addColumns();
    return table_.begin(info.labels, os);
  }

  Error events(const EventBatch &batch) override {
    StreamState &stream = streams_.at(batch.stream);
    if (stream.name == TextPool::none) {
      stream.index = batch.stream;
      stream.name = table_.texts().idOf(displayName(info_->streamName(batch.stream)));
    }
    knownColumns_->add(batch.counts, batch.events.size());
    size_t position = 0;
    walkBatch(
        batch,
        [&](ArrayRef<Event> events) {
          for (const Event &event : events) {
            if (hasCounts_)
              takeCounts(stream, batch.counts, position++);
            take(stream, event);
          }
          events_ += events.size();
        },
        [&](const LostRange &range) { addLost(stream, range); });
    return endedRows_ < groupRows ? Error::success() : writeGroup();
  }

  Error finish() override {
    if (Error error = writeGroup())
      return error;
    table_.finish();
    return Error::success();
  }

  TimelineSummary summary() const override {
    TimelineSummary result;
    result.events = events_;
    if (info_->unit == "ns" && info_->header.wallClock == 0)
      result.notes.push_back("the record does not say when it was made: start_ns counts from where "
                             "its clock begins, not from 1970");
    if (std::string late = knownColumns_->words(); !late.empty())
      result.notes.push_back(
          "without a column, as the record declares it behind its first entries: " + late);
    if (cutNumbers_ > 0)
      result.notes.push_back(countOf(cutNumbers_, "number") +
                             " above 9,223,372,036,854,775,807 are written as that");
    return result;
  }

private:
  using Column = TableColumns::Column;

  struct Columns {
    Column *stream = nullptr;
    Column *streamNumber = nullptr;
    Column *function = nullptr;
    Column *caller = nullptr;
    Column *depth = nullptr;
    Column *path = nullptr;
    Column *start = nullptr;
    Column *duration = nullptr;
    Column *self = nullptr;
    std::vector<std::pair<Column *, Column *>> spent;
  };

  void addColumns() {
    using Type = ParquetColumn::Type;
    using Encoding = ParquetColumn::Encoding;
    columns_.stream = &table_.addColumn({.name = "stream", .type = Type::text});
    columns_.streamNumber =
        &table_.addColumn({.name = "stream_number", .encoding = Encoding::dictionary});
    columns_.function = &table_.addColumn({.name = "function", .type = Type::text});
    columns_.caller = &table_.addColumn({.name = "caller", .type = Type::text, .isOptional = true});
    columns_.depth = &table_.addColumn({.name = "depth", .encoding = Encoding::dictionary});
    columns_.path = &table_.addColumn({.name = "path", .encoding = Encoding::dictionary});
    columns_.start =
        &table_.addColumn({.name = "start_" + info_->unit, .encoding = Encoding::delta});
    columns_.duration =
        &table_.addColumn({.name = "duration_" + info_->unit, .encoding = Encoding::dictionary});
    columns_.self =
        &table_.addColumn({.name = "self_" + info_->unit, .encoding = Encoding::dictionary});
    for (const Measure &measure : info_->header.columns()) {
      Column &total = table_.addColumn({.name = measure.name + "_total", .isOptional = true});
      Column &self = table_.addColumn({.name = measure.name + "_self", .isOptional = true});
      columns_.spent.push_back({&total, &self});
    }
  }

  void takeCounts(StreamState &stream, const CountColumns &counts, size_t position) {
    for (const CountColumns::Column &column : counts) {
      stream.counts[column.index] = column.values[position];
      stream.known |= uint8_t(1u << column.index);
    }
  }

  void take(StreamState &stream, const Event &event) {
    uint64_t now = stream.clock.advance(info_->scale, event.time);
    if (isEnd(event.kind))
      endCall(stream, now);
    else
      beginCall(stream, now, nameOf(event.function));
  }

  void addLost(StreamState &stream, const LostRange &range) {
    if (!lost_)
      lost_ = named("[lost]");
    auto takeKnown = [&](const Counts &counts) {
      for (ColumnIndex column = 0; column < maxColumns; ++column)
        stream.counts[column] = std::max(stream.counts[column], counts[column]);
    };
    takeKnown(range.countsFrom);
    beginCall(stream, stream.clock.advance(info_->scale, range.from), *lost_);
    takeKnown(range.countsTo);
    endCall(stream, stream.clock.advance(info_->scale, range.to));
  }

  struct Name {
    /// An index into the pool; none if the function has not occurred yet.
    uint32_t text = TextPool::none;
    uint64_t step = 0;
  };
  Name named(StringRef name) {
    std::string text = displayName(name);
    return {table_.texts().idOf(text), pathStep(text)};
  }
  const Name &nameOf(FunctionIndex function) {
    if (LLVM_UNLIKELY(function >= names_.size()))
      names_.resize(info_->functions.size());
    Name &name = names_[function];
    if (LLVM_UNLIKELY(name.text == TextPool::none))
      name = named(info_->functions[function].name);
    return name;
  }

  void beginCall(StreamState &stream, uint64_t now, const Name &name) {
    const OpenCall *caller = stream.open.empty() ? nullptr : &stream.open.back();
    PathId path = callPath(caller ? caller->path : hostPath, name.step);
    columns_.stream->addText(stream.name);
    columns_.streamNumber->add(stream.index);
    columns_.function->addText(name.text);
    columns_.caller->addText(caller ? caller->text : TextPool::none);
    columns_.depth->add(int64_t(stream.open.size() + 1));
    columns_.path->add(path);
    columns_.start->add(startOf(now));
    columns_.duration->add(0);
    columns_.self->add(0);
    for (auto [total, self] : columns_.spent) {
      total->addNothing();
      self->addNothing();
    }
    stream.open.push_back({rows_++, now, 0, path, name.text});
    if (hasCounts_)
      stream.openCounts.push_back({stream.known, stream.counts, {}});
  }

  void endCall(StreamState &stream, uint64_t now) {
    OpenCall call = stream.open.back();
    stream.open.pop_back();
    uint64_t duration = now - call.begin;
    columns_.duration->set(call.row, signedOf(duration));
    columns_.self->set(call.row, signedOf(duration - call.inCallees));
    if (!stream.open.empty())
      stream.open.back().inCallees += duration;
    if (hasCounts_)
      endCounts(stream, call.row);
    ++endedRows_;
  }

  // Amounts from before a column was known belong to no call.
  void endCounts(StreamState &stream, size_t row) {
    OpenCounts call = stream.openCounts.back();
    stream.openCounts.pop_back();
    for (ColumnIndex column = 0; column < columns_.spent.size(); ++column) {
      if (!(call.known >> column & 1))
        continue;
      uint64_t total = stream.counts[column] - call.begin[column];
      columns_.spent[column].first->set(row, signedOf(total));
      columns_.spent[column].second->set(row, signedOf(total - call.inCallees[column]));
      if (!stream.openCounts.empty())
        stream.openCounts.back().inCallees[column] += total;
    }
  }

  int64_t signedOf(uint64_t number) {
    cutNumbers_ += number > uint64_t(INT64_MAX);
    return toSigned(number);
  }

  /// Converts nanoseconds of the record's clock to UTC if the record has a wall clock time,
  /// otherwise to nanoseconds since the record's origin.
  int64_t startOf(uint64_t time) {
    const RecordHeader &header = info_->header;
    uint64_t origin = info_->scale.toNanoseconds(header.origin);
    uint64_t base = info_->unit == "ns" ? header.wallClock : 0;
    if (time < origin && base < origin - time)
      return -signedOf(origin - time - base);
    // A sum that overflows 64 bits is cut as well.
    uint64_t begin = base + (time - origin);
    return signedOf(time >= origin && begin < base ? UINT64_MAX : begin);
  }

  // Rows of open calls move to the next group.
  Error writeGroup() {
    std::vector<OpenCall *> open;
    for (StreamState &stream : streams_.all())
      for (OpenCall &call : stream.open)
        open.push_back(&call);
    llvm::sort(open, [](const OpenCall *a, const OpenCall *b) { return a->row < b->row; });
    std::vector<size_t> openRows;
    for (OpenCall *call : open) {
      openRows.push_back(call->row);
      call->row = openRows.size() - 1;
    }
    size_t rows = std::exchange(rows_, open.size());
    endedRows_ = 0;
    return table_.writeGroup(rows, openRows);
  }

  std::optional<TimelineInfo> info_;
  std::optional<LateColumns> knownColumns_;
  bool hasCounts_ = false;
  TableColumns table_;
  Columns columns_;
  /// Rows of the current group, and how many of them are ended calls.
  size_t rows_ = 0;
  size_t endedRows_ = 0;
  StreamStates<StreamState> streams_;
  /// By function.
  std::vector<Name> names_;
  std::optional<Name> lost_;
  uint64_t events_ = 0;
  uint64_t cutNumbers_ = 0;
};

warpo::Registry<TimelineBackend>::Add<ParquetTimelineBackend>
    registration("parquet", "a table of every call, for DuckDB, ClickHouse, Spark and others");

} // namespace
