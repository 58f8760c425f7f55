//===- RecordBatch.h - Entries of a record, as recorded -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What flows from a record reader to the slicer: a few thousand entries of one stream at a time,
// in columns. With one virtual call a batch, an open set of formats costs a few nanoseconds an
// entry.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_RECORDBATCH_H
#define WARPO_RECORD_RECORDBATCH_H

#include "warpo/Record/HeapEvent.h"
#include "warpo/Record/Measure.h"
#include "warpo/Record/StackWindows.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// A stream is a sequence of entries in time order: one stack of a thread. Streams are numbered
/// from 0 in the reader's order.
using StreamIndex = uint32_t;

/// A function as its module's mapping knows it.
struct FunctionRef {
  uint64_t moduleId;
  int32_t id;
};

struct StreamInfo {
  /// The stream's module; if it has several, the one whose ids are unchanged in its entries.
  uint64_t moduleId = 0;
  /// The stream's name; empty if the record has none.
  std::string name;
  /// The operating system's number of the thread; 0 if the record has none.
  uint64_t thread = 0;
  /// The measure by which its samples were due, if it has any: one each time a fixed amount was
  /// spent, of time in nanoseconds. Empty: unknown.
  std::string sampledBy = {};
  uint64_t sampleInterval = 0;
  /// Its heap events are sampled: points are this many bytes apart on average, and an allocation of
  /// `size` bytes represents `size / (1 - exp(-size / heapInterval))` bytes. 0: not sampled.
  uint64_t heapInterval = 0;
  /// In a merged record, the number of its original record.
  uint32_t record = 0;
  /// The stream for whose stack its calls count: itself or an earlier stream. Nothing if each
  /// stream has its own stack (see RecordReader::shareStacks).
  std::optional<StreamIndex> stack = {};
  /// How many other streams share its stack.
  uint32_t sharers = 0;
  /// Its further modules; usually none.
  StackWindows windows = {};

  /// The function for an id of this stream (positive).
  FunctionRef functionOf(int32_t id) const;
  /// The id of a function in this stream; 0 if it has none.
  int32_t idOf(const FunctionRef &function) const;
  /// The ids of its modules, each once, beginning with the first module's.
  std::vector<uint64_t> moduleIds() const;
};

/// A stack at a moment, and what was spent since the previous sample of its stream (for the first,
/// since the stream began).
struct StackSample {
  /// A count of the record's clock.
  uint64_t time = 0;
  uint64_t timeSince = 0;
  /// An index into RecordHeader::stacks.
  uint32_t stack = 0;
  /// By column.
  Counts countsSince = {};

  /// The begin of the time that it covers, which may be before the clock's 0.
  uint64_t begin() const { return time - std::min(time, timeSince); }
};

/// What a reader found wrong at a place, or what the record declares as missing there.
enum class NoteKind : uint8_t {
  /// Events were lost in recording; `count` of them, 0 if unknown.
  lost,
  /// The input ends within an entry; its last `count` bytes are incomplete.
  truncatedEntry,
  /// `count` entries with an invalid id (0, -2^31) are left out.
  invalidId,
  /// The stream's clock went back by `count`: the entry gets the last known time.
  timeWentBack,
  /// Column `column` of the stream went back by `count`: the entry gets the last known number.
  countWentBack,
  /// `count` invalid bytes were skipped.
  skippedBytes,
  /// The record was not closed: what its process still buffered is missing.
  notClosed,
  /// The record's index does not match it: a window was found by reading everything.
  unusableIndex,
  /// A clock has no column, because there are already maxColumns.
  clockLeftOut,
  /// The record counts `count` lost events beyond those of its streams.
  lostSomewhere,
};

/// Why events were lost, if recorded.
enum class LossCause : uint8_t { unknown, bufferFull, limit, writeFailed, processEnded };

struct RecordNote {
  /// The index of the entry in the batch that the note precedes; the size of the batch: after the
  /// last one.
  uint32_t position;
  NoteKind kind;
  uint64_t count;
  /// The place in the input, for messages: `trace.bin:0x40`, `trace.yaml:12`.
  std::string place;
  /// For losses.
  LossCause cause = LossCause::unknown;
  /// For counts that went back.
  ColumnIndex column = 0;
};

/// A note as a count of items, for DamageReport.
struct NoteWords {
  uint64_t count;
  std::string singular;
  std::string plural;
};
/// `columns` are the measures of the record's columns.
NoteWords wordsOf(const RecordNote &note, llvm::ArrayRef<Measure> columns);
/// The wording of all tools, without the place: `3 events that were lost when recording`.
std::string describe(const RecordNote &note, llvm::ArrayRef<Measure> columns);

/// Removes from the front of `ranges`, which are in order of position, those at or before
/// `position`, and returns them: for notes among entries, and lost ranges among events.
template <typename T> llvm::ArrayRef<T> takeUpTo(llvm::ArrayRef<T> &ranges, size_t position) {
  llvm::ArrayRef<T> taken =
      ranges.take_while([&](const T &range) { return range.position <= position; });
  ranges = ranges.drop_front(taken.size());
  return taken;
}

/// The kinds of entries beside calls: type, column, singular and plural. Each has a `time`, a
/// count of the record's clock, and begin(), the start of the time that it covers. `stack`, if
/// present, is an index into RecordHeader::stacks. Code that treats all kinds alike uses no other
/// fields.
///
/// To add a kind, add a line here. Code that must handle every kind decomposes them, as in `const
/// auto &[samples, heap] = beside;`, or declares a function for each kind with this list: a new
/// kind then breaks the build.
#define WARPO_SIDE_KINDS(KIND)                                                                     \
  KIND(StackSample, samples, "sample", "samples")                                                  \
  KIND(HeapEvent, heap, "heap event", "heap events")

/// Calls `visit` for each kind with its singular, plural, and column in each of
/// `sides`.
template <typename F, typename... Sides> void forEachSideKind(F visit, Sides &...sides) {
#define WARPO_KIND(Entry, column, singular, plural) visit(singular, plural, sides.column...);
  WARPO_SIDE_KINDS(WARPO_KIND)
#undef WARPO_KIND
}

/// A value for each kind.
template <typename T> struct BySideKind {
#define WARPO_KIND(Entry, column, singular, plural) T column = {};
  WARPO_SIDE_KINDS(WARPO_KIND)
#undef WARPO_KIND
};

/// A stream's entries beside its calls: a column for each kind, in time order, but not ordered
/// relative to calls.
struct SideEntries {
#define WARPO_KIND(Entry, column, singular, plural) llvm::ArrayRef<Entry> column = {};
  WARPO_SIDE_KINDS(WARPO_KIND)
#undef WARPO_KIND

  size_t size() const {
    size_t sum = 0;
    forEachColumn([&](const auto &column) { sum += column.size(); });
    return sum;
  }
  bool empty() const { return size() == 0; }
  /// A copy with these samples instead.
  SideEntries withSamples(llvm::ArrayRef<StackSample> others) const {
    SideEntries changed = *this;
    changed.samples = others;
    return changed;
  }
  /// The time of the first entry, and the begin of the time covered; nothing without entries.
  std::optional<uint64_t> firstTime() const {
    return first([](const auto &entry) { return entry.time; });
  }
  std::optional<uint64_t> begin() const {
    return first([](const auto &entry) { return entry.begin(); });
  }
  /// The time of the last entry.
  std::optional<uint64_t> lastTime() const {
    std::optional<uint64_t> last;
    forEachColumn([&](const auto &column) {
      if (!column.empty())
        last = std::max(last.value_or(0), column.back().time);
    });
    return last;
  }

private:
  template <typename F> void forEachColumn(F visit) const {
    forEachSideKind([&](const char *, const char *, const auto &column) { visit(column); }, *this);
  }
  template <typename F> std::optional<uint64_t> first(F timeOf) const {
    std::optional<uint64_t> first;
    forEachColumn([&](const auto &column) {
      if (!column.empty())
        first = std::min(first.value_or(UINT64_MAX), timeOf(column.front()));
    });
    return first;
  }
};

/// The number of side entries of each kind.
struct SideCounts : BySideKind<uint64_t> {
  void add(const SideEntries &entries);
  void add(const SideCounts &others);
  /// `3 samples` for each kind that occurred.
  std::vector<std::string> words() const;
};

/// Storage for side entries.
struct SideColumns {
#define WARPO_KIND(Entry, column, singular, plural) std::vector<Entry> column;
  WARPO_SIDE_KINDS(WARPO_KIND)
#undef WARPO_KIND

  void clear() {
    forEachSideKind([](const char *, const char *, auto &column) { column.clear(); }, *this);
  }
  bool empty() const { return size() == 0; }
  size_t size() const { return SideEntries(*this).size(); }
  operator SideEntries() const {
    SideEntries entries;
    forEachSideKind([](const char *, const char *, auto &to, const auto &from) { to = from; },
                    entries, *this);
    return entries;
  }
  /// Takes copies of the entries for which `change`, called with the copy, returns true.
  template <typename F> void assign(const SideEntries &entries, F change) {
    clear();
    auto assignColumn = [&](const char *, const char *, auto &column, const auto &others) {
      for (auto entry : others)
        if (change(entry))
          column.push_back(entry);
    };
    forEachSideKind(assignColumn, *this, entries);
  }
};

/// Columns of equal length, owned by the reader and valid until its next batch.
struct RecordBatch {
  StreamIndex stream = 0;
  /// Full 64-bit counts of the record's clock, never decreasing within a stream.
  llvm::ArrayRef<uint64_t> times;
  /// n > 0 begins, n < 0 ends a call of function |n|; never 0 or -2^31.
  llvm::ArrayRef<int32_t> ids;
  /// In order of position; usually none.
  llvm::ArrayRef<RecordNote> notes;
  /// Never decreasing within a stream.
  CountColumns counts = {};
  SideEntries beside = {};

  size_t size() const { return ids.size(); }
};

/// Storage for the columns of a batch, filled by a reader.
struct RecordColumns {
  static constexpr size_t capacity = 2048;

  std::vector<uint64_t> times;
  std::vector<int32_t> ids;
  std::vector<RecordNote> notes;
  /// By column; each is empty or as long as the others.
  std::array<std::vector<uint64_t>, maxColumns> counts;
  SideColumns beside;

  void clear() {
    times.clear();
    ids.clear();
    notes.clear();
    for (std::vector<uint64_t> &column : counts)
      column.clear();
    beside.clear();
  }
  void addCounts(const ColumnSet &columns, const Counts &row) {
    for (ColumnIndex column : columns)
      counts[column].push_back(row[column]);
  }
  /// Takes row `row` of the columns of a batch.
  void addCounts(const CountColumns &columns, size_t row) {
    for (const CountColumns::Column &column : columns)
      counts[column.index].push_back(column.values[row]);
  }
  bool empty() const { return ids.empty() && notes.empty() && beside.empty(); }
  RecordBatch batch(StreamIndex stream) const {
    RecordBatch batch{stream, times, ids, notes, {}, beside};
    for (ColumnIndex column = 0; column < maxColumns; ++column)
      batch.counts.add(column, counts[column]);
    return batch;
  }
};

} // namespace warpo

#endif
