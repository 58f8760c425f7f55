//===- FunctionTotals.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/FunctionTotals.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

static void add(uint64_t &sum, uint64_t more) { sum = SaturatingAdd(sum, more); }

FunctionTotals::FunctionTotals(FunctionTable &functions, Calls calls)
    : functions_(functions), distributes_(calls == Calls::distributed),
      lostFunction_(functions.pseudoFunction("[lost]")), sums_(1) {}

// A batch names functions of the table alone, so that the loop over its events checks no index.
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
  if (!stream.open.empty())
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

// What was spent before the first known value is no function's.
void FunctionTotals::startColumn(Stream &stream, ColumnIndex column, uint64_t count) {
  if (!stream.columns.insert(column))
    return;
  stream.lastCounts[column] = count;
  stream.openCounts.resize(stream.open.size());
  for (Counts &begin : stream.openCounts)
    begin[column] = count;
  columns_.insert(column);
  counts_[column].resize(sums_.size());
}

template <bool hasColumns>
LLVM_ATTRIBUTE_ALWAYS_INLINE void FunctionTotals::end(Stream &stream, const Moment &now,
                                                      EventKind kind) {
  OpenCall call = stream.open.back();
  stream.open.pop_back();
  // Another call of the function may be open around this one, and holds it.
  if (--stream.depths[call.function].open == 0) {
    FunctionSums &sums = sums_[call.function + 1];
    add(sums.time.total, now.time - call.begin.time);
    add(sums.calls.total, now.calls - call.begin.calls);
    if constexpr (hasColumns)
      for (ColumnIndex column : stream.columns)
        add(counts_[column][call.function + 1].total,
            stream.lastCounts[column] - stream.openCounts.back()[column]);
  }
  if constexpr (hasColumns)
    stream.openCounts.pop_back();
  // How long a call that is still open would have taken is not known.
  if (!distributes_ || kind == EventKind::endOpen || kind == EventKind::endCut)
    return;
  FunctionCalls &calls = calls_[call.function];
  uint64_t duration = now.time - call.begin.time;
  calls.durations.add(duration);
  add(calls.sum, duration);
  calls.longest = std::max(calls.longest, duration);
}

template <bool hasColumns>
void FunctionTotals::fold(Stream &stream, ArrayRef<Event> events, const CountColumns &counts) {
  // Local, so that no sum that is stored may change it.
  Moment last = stream.last;
  FunctionIndex top = topOf(stream);
  for (size_t i = 0; i < events.size(); ++i) {
    const Event &event = events[i];
    FunctionSums &sums = sums_[FunctionIndex(top + 1)];
    add(sums.time.self, event.time - last.time);
    last.time = event.time;
    if constexpr (hasColumns)
      for (const CountColumns::Column &column : counts) {
        uint64_t &lastCount = stream.lastCounts[column.index];
        add(counts_[column.index][FunctionIndex(top + 1)].self, column.values[i] - lastCount);
        lastCount = column.values[i];
      }
    if (isEnd(event.kind)) {
      end<hasColumns>(stream, last, event.kind);
      top = topOf(stream);
      continue;
    }
    ++sums.callees;
    top = event.function;
    ++sums_[top + 1].calls.self;
    Depth &depth = stream.depths[top];
    depth.deepest = std::max(depth.deepest, ++depth.open);
    stream.open.push_back({top, last});
    if constexpr (hasColumns)
      stream.openCounts.push_back(stream.lastCounts);
    ++last.calls;
  }
  stream.last = last;
}

void FunctionTotals::addLost(Stream &stream, const LostRange &range) {
  FunctionIndex top = topOf(stream);
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
  // A batch of columns alone says what they begin at.
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
    if (stream.columns.empty())
      fold</*hasColumns=*/false>(stream, events, counts);
    else
      fold</*hasColumns=*/true>(stream, events, counts);
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
    // Open where the reading of the record was stopped.
    while (!stream.open.empty())
      if (stream.columns.empty())
        end</*hasColumns=*/false>(stream, stream.last, EventKind::endOpen);
      else
        end</*hasColumns=*/true>(stream, stream.last, EventKind::endOpen);
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
