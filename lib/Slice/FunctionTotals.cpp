//===- FunctionTotals.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/FunctionTotals.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace warpo;

static void add(uint64_t &sum, uint64_t more) { sum = SaturatingAdd(sum, more); }

FunctionTotals::FunctionTotals(FunctionTable &functions, Calls calls)
    : functions_(functions), distributes_(calls == Calls::distributed),
      lostFunction_(functions.pseudoFunction("[lost]")), sums_(1) {}

// A batch only refers to functions of the table, so the loop over its events need not check
// indices.
void FunctionTotals::prepare(Stream &stream) {
  size_t count = functions_.size();
  sums_.resize(std::max(sums_.size(), count + 1));
  for (ColumnIndex column : columns_)
    counts_[column].resize(sums_.size());
  if (distributes_)
    calls_.resize(std::max(calls_.size(), count));
  if (stream.depths.empty() && !idleDepths_.empty()) {
    stream.depths = std::move(idleDepths_.back());
    idleDepths_.pop_back();
  }
  stream.depths.resize(std::max(stream.depths.size(), count));
}

void FunctionTotals::release(Stream &stream) {
  if (stream.depth > 0)
    return;
  idleDepths_.push_back(std::move(stream.depths));
  stream.depths.clear();
}

std::vector<FunctionIndex> FunctionTotals::called() const {
  std::vector<FunctionIndex> functions;
  for (FunctionIndex function = 0; function < sums().size(); ++function)
    if (!sums()[function].empty())
      functions.push_back(function);
  return functions;
}

// Amounts before the first known value are attributed to no function.
void FunctionTotals::startColumn(Stream &stream, ColumnIndex column, uint64_t count) {
  if (!stream.columns.insert(column))
    return;
  stream.lastCounts[column] = count;
  // For all open calls.
  stream.openCounts[column].assign(stream.open.size(), count);
  columns_.insert(column);
  counts_[column].resize(sums_.size());
}

// The duration of a call that is still open is unknown.
void FunctionTotals::addDuration(const OpenCall &call, uint64_t end, EventKind kind) {
  if (kind == EventKind::endOpen || kind == EventKind::endCut)
    return;
  FunctionCalls &calls = calls_[call.function];
  uint64_t duration = end - call.begin.time;
  calls.durations.add(duration);
  add(calls.sum, duration);
  calls.longest = std::max(calls.longest, duration);
}

namespace {

/// A column of a stream, in the loop over a batch.
struct FoldedColumn {
  const uint64_t *values; ///< null: unchanged
  uint64_t last;
  uint64_t *open;
  FunctionWeight *sums;
};

} // namespace

// The hot loop, compiled for no column, one, and any number (maxColumns).
template <size_t columns>
void FunctionTotals::foldAs(Stream &stream, ArrayRef<Event> events, const CountColumns &counts) {
  std::array<FoldedColumn, columns> all;
  const size_t columnCount = columns == maxColumns ? stream.columns.size() : columns;
  for (size_t i = 0; i < columnCount; ++i) {
    ColumnIndex index = stream.columns.begin()[i];
    stream.openCounts[index].resize(stream.open.size());
    all[i] = {counts[index].data(), stream.lastCounts[index], stream.openCounts[index].data(),
              counts_[index].data()};
  }
  // Copied to locals, which stores of sums cannot change.
  FunctionSums *const sums = sums_.data();
  Depth *const depths = stream.depths.data();
  OpenCall *const open = stream.open.data();
  const bool distributes = distributes_;
  size_t depth = stream.depth;
  Moment last = stream.last;
  FunctionIndex top = open[depth].function;
  for (size_t i = 0; i < events.size(); ++i) {
    const Event &event = events[i];
    FunctionSums &around = sums[FunctionIndex(top + 1)];
    add(around.time.self, event.time - last.time);
    last.time = event.time;
    for (FoldedColumn &column : MutableArrayRef(all).take_front(columnCount)) {
      uint64_t now = columns < maxColumns || column.values ? column.values[i] : column.last;
      add(column.sums[FunctionIndex(top + 1)].self, now - std::exchange(column.last, now));
    }
    if (isEnd(event.kind)) {
      const OpenCall &call = open[depth];
      // If another call of the function is open around this one, its total includes this one.
      if (--depths[top].open == 0) {
        add(around.time.total, last.time - call.begin.time);
        // The number of calls cannot overflow.
        around.calls.total += last.calls - call.begin.calls;
        for (const FoldedColumn &column : ArrayRef(all).take_front(columnCount))
          add(column.sums[top + 1].total, column.last - column.open[depth]);
      }
      if (distributes)
        addDuration(call, last.time, event.kind);
      top = open[--depth].function;
      continue;
    }
    ++around.callees;
    top = event.function;
    ++sums[top + 1].calls.self;
    ++depths[top].open;
    if (distributes)
      depths[top].deepest = std::max(depths[top].deepest, depths[top].open);
    open[++depth] = {top, last};
    for (const FoldedColumn &column : ArrayRef(all).take_front(columnCount))
      column.open[depth] = column.last;
    ++last.calls;
  }
  stream.depth = depth;
  stream.last = last;
  for (size_t i = 0; i < columnCount; ++i)
    stream.lastCounts[stream.columns.begin()[i]] = all[i].last;
}

// Works in pieces that cannot open more calls than there is room for: as there may be many streams,
// each has little room.
void FunctionTotals::fold(Stream &stream, ArrayRef<Event> events, CountColumns counts) {
  constexpr size_t leastRoom = 64;
  while (!events.empty()) {
    if (stream.open.size() <= stream.depth + leastRoom)
      stream.open.resize(2 * (stream.depth + leastRoom));
    size_t size = std::min(events.size(), stream.open.size() - stream.depth - 1);
    ArrayRef<Event> piece = events.take_front(size);
    if (stream.columns.empty())
      foldAs<0>(stream, piece, counts);
    else if (stream.columns.size() == 1 && counts.count() == 1)
      foldAs<1>(stream, piece, counts);
    else
      foldAs<maxColumns>(stream, piece, counts);
    events = events.drop_front(size);
    counts = counts.slice(size, events.size());
  }
}

void FunctionTotals::addLost(Stream &stream, const LostRange &range) {
  FunctionIndex top = stream.open[stream.depth].function;
  Moment &last = stream.last;
  auto addTo = [&](auto &around, FunctionWeight &lost, uint64_t &now, uint64_t from, uint64_t to) {
    if (from > now)
      add(around.self, from - now);
    add(lost.self, to - from);
    add(lost.total, to - from);
    now = to;
  };
  FunctionSums &lost = sums_[lostFunction_ + 1];
  addTo(sums_[FunctionIndex(top + 1)].time, lost.time, last.time, range.from, range.to);
  ++lost.calls.self;
  ++lost.calls.total;
  ++last.calls;
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    if (range.countsTo[column] > 0)
      startColumn(stream, column, range.countsFrom[column]);
  for (ColumnIndex column : stream.columns)
    addTo(counts_[column][FunctionIndex(top + 1)], counts_[column][lostFunction_ + 1],
          stream.lastCounts[column], range.countsFrom[column], range.countsTo[column]);
}

Error FunctionTotals::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  prepare(stream);
  // A batch with columns only has their initial values.
  if (batch.events.empty())
    for (const CountColumns::Column &column : batch.counts)
      startColumn(stream, column.index, column.values[0]);
  size_t folded = 0;
  auto foldUpTo = [&](size_t position) {
    ArrayRef<Event> events = batch.events.slice(folded, position - folded);
    CountColumns counts = batch.counts.slice(folded, events.size());
    folded = position;
    if (events.empty())
      return;
    for (const CountColumns::Column &column : counts)
      startColumn(stream, column.index, column.values[0]);
    fold(stream, events, counts);
  };
  for (const LostRange &range : batch.lost) {
    foldUpTo(range.position);
    addLost(stream, range);
  }
  foldUpTo(batch.events.size());
  release(stream);
  return Error::success();
}

Error FunctionTotals::finish() {
  for (Stream &stream : streams_) {
    // Calls that were open when reading stopped.
    std::vector<Event> ends;
    for (size_t depth = stream.depth; depth > 0; --depth)
      ends.push_back({stream.last.time, stream.open[depth].function, EventKind::endOpen});
    fold(stream, ends, {});
    release(stream);
  }
  if (!distributes_)
    return Error::success();
  for (const std::vector<Depth> &depths : idleDepths_)
    for (FunctionIndex function = 0; function < depths.size(); ++function)
      calls_[function].deepestRecursion =
          std::max(calls_[function].deepestRecursion, depths[function].deepest);
  return Error::success();
}
