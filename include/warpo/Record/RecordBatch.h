//===- RecordBatch.h - Entries of a record, as recorded -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What flows from a record reader to the slicer: a few thousand entries of one stream at a time, in
// columns. One virtual call a batch is what makes an open set of formats affordable at a few
// nanoseconds an entry.
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

/// A stream is a sequence of entries in time order: a stack, of what runs on a thread. Streams are
/// numbered from 0 in the order in which a reader meets them.
using StreamIndex = uint32_t;

/// A function as its module's mapping knows it.
struct FunctionRef {
  uint64_t moduleId;
  int32_t id;
};

struct StreamInfo {
  /// The stream's module; of several, the one whose ids its entries have as they are.
  uint64_t moduleId = 0;
  /// What to call the stream; empty where the record does not say.
  std::string name;
  /// The operating system's number of the thread; 0 where the record does not say.
  uint64_t thread = 0;
  /// The measure that decided when its samples were due, if it has any: each time that so much of
  /// it, of time in nanoseconds, was spent. Empty: unknown.
  std::string sampledBy = {};
  uint64_t sampleInterval = 0;
  /// So many bytes lie, in the mean, between allocations that its heap events are of: one of `size`
  /// bytes stands for `size / (1 - exp(-size / heapInterval))`. 0: they are of all.
  uint64_t heapInterval = 0;
  /// Of several records that became one, the number of its own.
  uint32_t record = 0;
  /// Whose stack its calls are on, its own or that of a stream before it; nothing where each stream
  /// has its own (RecordReader::shareStacks).
  std::optional<StreamIndex> stack = {};
  /// How many other streams are on the stack that it stands for.
  uint32_t sharers = 0;
  /// Its further modules; most streams have none.
  StackWindows windows = {};

  /// The function of an id of the stream's (positive).
  FunctionRef functionOf(int32_t id) const;
  /// The id that the stream has for a function; 0 if it has none.
  int32_t idOf(const FunctionRef &function) const;
  /// The ids of its modules, each once, the first one first.
  std::vector<uint64_t> moduleIds() const;
};

/// A stack that was seen at a moment, and what had been spent since the sample before of its stream
/// (the first: since the stream began).
struct StackSample {
  /// A count of the record's clock.
  uint64_t time = 0;
  uint64_t timeSince = 0;
  /// An index into RecordHeader::stacks.
  uint32_t stack = 0;
  /// For each column.
  Counts countsSince = {};

  /// When what it speaks of began; that may have been before the clock's 0.
  uint64_t begin() const { return time - std::min(time, timeSince); }
};

/// What a reader found wrong at a place, or what the record says is missing there.
enum class NoteKind : uint8_t {
  /// Events were lost when recording; `count` of them, 0 if unknown.
  lost,
  /// The input ends within an entry; `count` bytes are left over.
  truncatedEntry,
  /// An id that means nothing (0, -2^31): the entry is left out.
  invalidId,
  /// The clock of the stream went back by `count` counts: the entry is given the last known time.
  timeWentBack,
  /// Column `column` of the stream went back by `count`: the entry is given its last known number.
  countWentBack,
  /// `count` bytes that make no sense were skipped.
  skippedBytes,
  /// The record was not closed: what its process still held is missing.
  notClosed,
  /// The record's index does not fit it: a window of it was found by reading all.
  unusableIndex,
  /// A clock has no column, as there are maxColumns already.
  clockLeftOut,
  /// The record counts `count` events as lost that no stream of it mentions.
  lostSomewhere,
};

/// Why events were lost, where the record says.
enum class LossCause : uint8_t { unknown, bufferFull, limit, writeFailed, processEnded };

struct RecordNote {
  /// The note belongs before the entry of this index in the batch; the size of the batch: after the
  /// last.
  uint32_t position;
  NoteKind kind;
  uint64_t count;
  /// Where in the input, for messages: `trace.bin:0x40`, `trace.yaml:12`.
  std::string place;
  /// Of a loss.
  LossCause cause = LossCause::unknown;
  /// Of a count that went back.
  ColumnIndex column = 0;
};

/// A note as a count of something, for DamageReport.
struct NoteWords {
  uint64_t count;
  std::string singular;
  std::string plural;
};
/// `columns` are the measures of the record's columns.
NoteWords wordsOf(const RecordNote &note, llvm::ArrayRef<Measure> columns);
/// `3 events that were lost when recording`: the words that all tools use, without the place.
std::string describe(const RecordNote &note, llvm::ArrayRef<Measure> columns);

/// Takes from the front of `ranges`, which are in order of position, those at or before `position`:
/// for notes among entries, lost ranges among events.
template <typename T> llvm::ArrayRef<T> takeUpTo(llvm::ArrayRef<T> &ranges, size_t position) {
  llvm::ArrayRef<T> taken =
      ranges.take_while([&](const T &range) { return range.position <= position; });
  ranges = ranges.drop_front(taken.size());
  return taken;
}

/// The kinds of entries that a stream has beside its calls: type, column, singular and plural. Each
/// has a `time`, a count of the record's clock, and begin(), the start of the time that it covers.
/// `stack`, if it has one, is an index into RecordHeader::stacks. Steps that treat all kinds alike
/// use no other fields.
///
/// To add a kind, add a line here. Code that must handle every kind decomposes them,
/// `const auto &[samples, heap] = beside;`, or declares a function for each kind by this list: a
/// new kind then breaks the build.
#define WARPO_SIDE_KINDS(KIND)                                                                     \
  KIND(StackSample, samples, "sample", "samples")                                                  \
  KIND(HeapEvent, heap, "heap event", "heap events")

/// Calls `visit` for each kind with what one and several are called, and its column in each of
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

/// What a stream has beside its calls: a column for each kind, in time order, and in no order with
/// the calls.
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
  /// The same with these in the place of its samples.
  SideEntries withSamples(llvm::ArrayRef<StackSample> others) const {
    SideEntries changed = *this;
    changed.samples = others;
    return changed;
  }
  /// When the first of them was, and from when on it speaks; nothing if there is none.
  std::optional<uint64_t> firstTime() const {
    return first([](const auto &entry) { return entry.time; });
  }
  std::optional<uint64_t> begin() const {
    return first([](const auto &entry) { return entry.begin(); });
  }
  /// When the last of them was.
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

/// How many side entries there are of each kind.
struct SideCounts : BySideKind<uint64_t> {
  void add(const SideEntries &entries);
  void add(const SideCounts &others);
  /// `3 samples`, for each kind that there was.
  std::vector<std::string> words() const;
};

/// Room for side entries.
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
  /// Takes copies of those for which `change`, called with the copy, is true.
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

/// Room for the columns of a batch: what a reader fills.
struct RecordColumns {
  static constexpr size_t capacity = 2048;

  std::vector<uint64_t> times;
  std::vector<int32_t> ids;
  std::vector<RecordNote> notes;
  /// By column; each is empty, or as long as the others.
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
