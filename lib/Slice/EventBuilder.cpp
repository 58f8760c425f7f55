//===- EventBuilder.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/EventBuilder.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace warpo;

EventSink::~EventSink() = default;

void EventBuilder::keep(ColumnIndex column, uint64_t first) {
  if (made_.columns().contains(column))
    return;
  last_.counts[column] = first;
  made_.keep(column, first);
}

void EventBuilder::replay(const RecordBatch &batch) {
  for (const CountColumns::Column &column : batch.counts)
    keep(column.index, column.values[0]);
  ArrayRef<RecordNote> notes = batch.notes;
  for (size_t i = 0; i < batch.size();) {
    for (const RecordNote &note : takeUpTo(notes, i))
      if (note.kind == NoteKind::lost)
        lose(note.count);
    // Notes are rare, so the loop over entries does not check for them.
    size_t stop =
        notes.empty() ? batch.size() : std::min<size_t>(batch.size(), notes.front().position);
    replayRun(batch, i, stop);
    i = stop;
  }
  for (const RecordNote &note : notes)
    if (note.kind == NoteKind::lost)
      lose(note.count);
}

void EventBuilder::replayRun(const RecordBatch &batch, size_t first, size_t last) {
  while (first < last) {
    prepareFor(last - first);
    if (made_.columns().empty())
      first += replaySound<0>(batch, first, last);
    else if (batch.counts.count() == 1 && made_.columns().size() == 1)
      first += replaySound<1>(batch, first, last);
    else if (batch.counts.count() == made_.columns().size())
      first += replaySound<maxColumns>(batch, first, last);
    if (first == last)
      return;
    int32_t id = batch.ids[first];
    Counts counts = batch.counts.at(first);
    if (id > 0)
      begin(batch.times[first], id, counts);
    else if (!end(batch.times[first], -id, counts))
      unmatchedEnds_.push_back(uint32_t(first));
    ++first;
    if (countedEntries_ > 0 && --countedEntries_ == 0)
      openCalls_.clear();
  }
}

// The hot loop, about 2 ns per entry. Begins and ends alternate practically at random, and a branch
// would be mispredicted every other time, at 5 ns. So both cases do the same stores, and only the
// step of the stack differs. Entries that need repair leave by a branch that is never taken in a
// sound record. `columns` is the number of columns: 0, 1, or maxColumns for any number.
template <size_t columns>
size_t EventBuilder::replaySound(const RecordBatch &batch, size_t first, size_t last) {
  if (losing_ || traps_ || countedEntries_ > 0)
    return 0;
  // Copied to locals: nothing in the loop can change them.
  const uint64_t *times = batch.times.data();
  const int32_t *ids = batch.ids.data();
  const size_t columnCount = columns == maxColumns ? batch.counts.count() : columns;
  ArrayRef<FunctionIndex> functions = ids_->dense();
  ArrayRef<FunctionIndex> markedFunctions = ids_->marked();
  FunctionIndex *top = stack_.data() + depth_;
  Event *event = made_.nextEvent();
  // For each column, the recorded values, the resulting ones, and the current value.
  std::array<const uint64_t *, columns> counts;
  std::array<uint64_t *, columns> eventCounts;
  std::array<uint64_t, columns> lastCounts;
  for (size_t column = 0; column < columnCount; ++column) {
    const CountColumns::Column &recorded = batch.counts.begin()[column];
    counts[column] = recorded.values;
    eventCounts[column] = made_.nextCount(recorded.index);
    lastCounts[column] = last_.counts[recorded.index];
  }
  uint64_t lastTime = last_.time;
  size_t i = first;
  for (; i < last; ++i) {
    int32_t id = ids[i];
    // Arithmetic instead of conditions, which compilers would turn into branches.
    int32_t sign = id >> 31;
    int32_t step = sign | 1;
    uint32_t slot = uint32_t((id ^ sign) - sign) - FunctionIds::firstId;
    FunctionIndex function;
    if (LLVM_LIKELY(slot < functions.size())) {
      function = functions[slot];
    } else {
      uint32_t place = FunctionIds::markedPlace(slot);
      if (place >= markedFunctions.size())
        break;
      function = markedFunctions[place];
    }
    // There is an additional entry below the stack: the top of an empty stack is noFunction.
    bool sound = (id > 0) | (*top == function);
    if (LLVM_UNLIKELY(!sound | (function == FunctionIds::unresolved)))
      break;
    lastTime = std::max(lastTime, times[i]);
    top[1] = function;
    top += step;
    *event++ = {lastTime, function, EventKind(sign & int32_t(EventKind::endReturned))};
    for (size_t column = 0; column < columnCount; ++column)
      *eventCounts[column]++ = lastCounts[column] = std::max(lastCounts[column], counts[column][i]);
  }
  last_.time = lastTime;
  for (size_t column = 0; column < columnCount; ++column)
    last_.counts[batch.counts.begin()[column].index] = lastCounts[column];
  depth_ = size_t(top - stack_.data());
  made_.wrote(i - first);
  return i - first;
}

void EventBuilder::prepareFor(size_t events) {
  made_.makeRoom(events);
  if (stack_.size() < depth_ + events + 2)
    stack_.resize(std::max(stack_.size() * 2, depth_ + events + 2), noFunction);
}

EventBuilder::Moment EventBuilder::advance(uint64_t time, const Counts &counts) {
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    if (counts[column] > 0)
      keep(column, counts[column]);
  Moment previous = last_;
  Moment to{std::max(time, last_.time), maxOf(counts, last_.counts)};
  if (losing_) {
    // Everything lost so far is reported once, before the next event.
    endLoss(to);
    previous = to;
  }
  last_ = to;
  return previous;
}

void EventBuilder::append(FunctionIndex function, EventKind kind) {
  prepareFor(1);
  made_.append(Event{last_.time, function, kind}, last_.counts);
}

void EventBuilder::trap(uint64_t time, const Counts &counts) {
  if (traps_ < 2)
    ++traps_;
  else
    ++repairs_.strayTraps;
  // The time of the trap is unknown if it was before a loss.
  if (losing_)
    advance(time, counts);
}

void EventBuilder::beginFunction(uint64_t time, FunctionIndex function, const Counts &counts) {
  repairs_.strayTraps += traps_;
  traps_ = 0;
  advance(time, counts);
  append(function, EventKind::begin);
  stack_[++depth_] = function;
  if (countedEntries_ > 0)
    ++openCalls_[function];
}

bool EventBuilder::endFunction(uint64_t time, FunctionIndex function, EventKind kind,
                               const Counts &counts) {
  if (LLVM_UNLIKELY(traps_)) {
    bool isOutermost = std::exchange(traps_, 0) > 1;
    if (depth_ > 0 && isOpen(function)) {
      endTrapped(function, isOutermost);
      advance(time, counts);
      return true;
    }
  }
  Moment previous = advance(time, counts);
  if (depth_ == 0 || stack_[depth_] != function)
    return endBelowTop(previous, function);
  pop(kind);
  return true;
}

void EventBuilder::pop(EventKind kind) {
  FunctionIndex function = stack_[depth_--];
  if (countedEntries_ > 0)
    --openCalls_[function];
  append(function, kind);
}

bool EventBuilder::isOpen(FunctionIndex function) {
  constexpr size_t nearTop = 64;
  if (countedEntries_ == 0) {
    for (size_t i = depth_; i > 0 && depth_ - i < nearTop; --i)
      if (stack_[i] == function)
        return true;
    if (depth_ <= nearTop)
      return false;
  }
  return countOpen(function) > 0;
}

uint32_t EventBuilder::countOpen(FunctionIndex function) {
  constexpr size_t least = 64;
  if (countedEntries_ == 0)
    for (size_t i = 1; i <= depth_; ++i)
      ++openCalls_[stack_[i]];
  // Counting the stack costs as much as an entry for each of its calls, so it is not repeated
  // before that many entries.
  countedEntries_ = 2 * depth_ + least;
  auto open = openCalls_.find(function);
  return open != openCalls_.end() ? open->second : 0;
}

bool EventBuilder::endBelowTop(const Moment &previous, FunctionIndex function) {
  if (!isOpen(function)) {
    ++repairs_.endsWithoutBegin;
    made_.append(
        LostRange{0, previous.time, last_.time, 0, function, previous.counts, last_.counts});
    return false;
  }
  for (; stack_[depth_] != function; ++repairs_.unwoundCalls)
    pop(EventKind::endUnwound);
  pop(EventKind::endReturned);
  return true;
}

// The calls end at the last known time.
void EventBuilder::endTrapped(FunctionIndex function, bool isOutermost) {
  uint32_t left = isOutermost ? countOpen(function) : 1;
  for (; left > 0; ++repairs_.trappedCalls) {
    left -= stack_[depth_] == function;
    pop(EventKind::endTrapped);
  }
}

void EventBuilder::lose(uint64_t count) {
  losing_ = true;
  // The end that belongs to the trap may have been lost.
  traps_ = 0;
  // The counts come from a file and may have any value.
  losingCount_ = SaturatingAdd(losingCount_, count);
  repairs_.lostEntries = SaturatingAdd(repairs_.lostEntries, count);
}

void EventBuilder::endLoss(const Moment &to) {
  losing_ = false;
  // The begin of a loss before the first entry is unknown.
  Moment from = timeIsKnown_ ? last_ : to;
  timeIsKnown_ = true;
  made_.append(LostRange{0, from.time, to.time, losingCount_, noFunction, from.counts, to.counts});
  losingCount_ = 0;
}

bool EventBuilder::finish(size_t calls) {
  repairs_.strayTraps += std::exchange(traps_, 0);
  if (losing_ && timeIsKnown_)
    endLoss(last_);
  for (; depth_ > 0 && calls > 0; --calls, ++repairs_.openCalls)
    pop(EventKind::endOpen);
  return depth_ == 0;
}

void EventBuilder::addUnmatchedEnds(ArrayRef<uint32_t> entries) {
  unmatchedEnds_.insert(unmatchedEnds_.end(), entries.begin(), entries.end());
}

void EventBuilder::clear() {
  made_.clear();
  unmatchedEnds_.clear();
}
