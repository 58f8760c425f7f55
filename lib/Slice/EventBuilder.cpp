//===- EventBuilder.cpp ---------------------------------------------------===//

#include "warpo/Slice/EventBuilder.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

EventSink::~EventSink() = default;

void EventBuilder::keepFuel(uint64_t first) {
  if (hasFuel_)
    return;
  hasFuel_ = true;
  lastFuel_ = first;
  fuel_.assign(events_.size(), lastFuel_);
}

void EventBuilder::replay(const RecordBatch &batch) {
  if (!batch.fuel.empty())
    keepFuel(batch.fuel.front());
  ArrayRef<RecordNote> notes = batch.notes;
  for (size_t i = 0; i < batch.size();) {
    for (const RecordNote &note : takeUpTo(notes, i))
      if (note.kind == NoteKind::lost)
        lose(note.count);
    // Notes are rare: the loop that runs for every entry does not look at them.
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
    if (!hasFuel_)
      first += replaySound</*hasFuel=*/false>(batch, first, last);
    else if (!batch.fuel.empty())
      first += replaySound</*hasFuel=*/true>(batch, first, last);
    if (first == last)
      return;
    int32_t id = batch.ids[first];
    uint64_t fuel = batch.fuel.empty() ? 0 : batch.fuel[first];
    if (id > 0)
      begin(batch.times[first], id, fuel);
    else if (!end(batch.times[first], -id, fuel))
      unmatchedEnds_.push_back(uint32_t(first));
    ++first;
    if (countedEntries_ > 0 && --countedEntries_ == 0)
      openCalls_.clear();
  }
}

// The hot loop, about 2 ns an entry. Whether an entry begins or ends is as good as random, and a
// branch on it would be mispredicted every other time, at 5 ns: so both cases do the same stores,
// and only the step of the stack differs. What needs repair leaves by a branch that is never taken
// in a sound record.
template <bool hasFuel>
size_t EventBuilder::replaySound(const RecordBatch &batch, size_t first, size_t last) {
  if (losing_ || countedEntries_ > 0)
    return 0;
  // All in locals: the loop calls nothing that could change them.
  const uint64_t *times = batch.times.data();
  const int32_t *ids = batch.ids.data();
  const uint64_t *fuel = batch.fuel.data();
  ArrayRef<FunctionIndex> functions = ids_.dense();
  ArrayRef<FunctionIndex> markedFunctions = ids_.marked();
  FunctionIndex *top = stack_.data() + depth_;
  Event *event = events_.data() + eventCount_;
  uint64_t *eventFuel = hasFuel ? fuel_.data() + eventCount_ : nullptr;
  uint64_t lastTime = lastTime_;
  uint64_t lastFuel = lastFuel_;
  size_t i = first;
  for (; i < last; ++i) {
    int32_t id = ids[i];
    // Arithmetic instead of conditions: compilers make branches of those.
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
    // Below the stack lies one entry of room: the top of an empty stack is noFunction.
    bool sound = (id > 0) | (*top == function);
    if (LLVM_UNLIKELY(!sound | (function == FunctionIds::unresolved)))
      break;
    lastTime = std::max(lastTime, times[i]);
    top[1] = function;
    top += step;
    *event++ = {lastTime, function, EventKind(sign & int32_t(EventKind::endReturned))};
    if constexpr (hasFuel)
      *eventFuel++ = lastFuel = std::max(lastFuel, fuel[i]);
  }
  lastTime_ = lastTime;
  lastFuel_ = lastFuel;
  depth_ = size_t(top - stack_.data());
  eventCount_ = size_t(event - events_.data());
  return i - first;
}

void EventBuilder::prepareFor(size_t events) {
  if (events_.size() < eventCount_ + events)
    events_.resize(eventCount_ + events);
  if (hasFuel_ && fuel_.size() < events_.size())
    fuel_.resize(events_.size());
  if (stack_.size() < depth_ + events + 2)
    stack_.resize(std::max(stack_.size() * 2, depth_ + events + 2), noFunction);
}

EventBuilder::Moment EventBuilder::advance(Moment to) {
  if (to.fuel > 0)
    keepFuel(to.fuel);
  Moment previous = now();
  to = {std::max(to.time, lastTime_), std::max(to.fuel, lastFuel_)};
  if (losing_) {
    // What is lost until here is told once, whatever comes now.
    endLoss(to);
    previous = to;
  }
  lastTime_ = to.time;
  lastFuel_ = to.fuel;
  return previous;
}

void EventBuilder::append(FunctionIndex function, EventKind kind) {
  prepareFor(1);
  if (hasFuel_)
    fuel_[eventCount_] = lastFuel_;
  events_[eventCount_++] = {lastTime_, function, kind};
}

void EventBuilder::beginFunction(uint64_t time, FunctionIndex function, uint64_t fuel) {
  advance({time, fuel});
  append(function, EventKind::begin);
  stack_[++depth_] = function;
  if (countedEntries_ > 0)
    ++openCalls_[function];
}

bool EventBuilder::endFunction(uint64_t time, FunctionIndex function, EventKind kind,
                               uint64_t fuel) {
  Moment previous = advance({time, fuel});
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
    for (size_t i = 1; i <= depth_; ++i)
      ++openCalls_[stack_[i]];
  }
  // Counting the stack costs as much as an entry for each of its calls: so it is not done again
  // sooner.
  countedEntries_ = 2 * depth_ + nearTop;
  auto open = openCalls_.find(function);
  return open != openCalls_.end() && open->second > 0;
}

bool EventBuilder::endBelowTop(Moment previous, FunctionIndex function) {
  if (!isOpen(function)) {
    ++repairs_.endsWithoutBegin;
    lost_.push_back(
        {uint32_t(eventCount_), previous.time, lastTime_, 0, function, previous.fuel, lastFuel_});
    return false;
  }
  for (; stack_[depth_] != function; ++repairs_.unwoundCalls)
    pop(EventKind::endUnwound);
  pop(EventKind::endReturned);
  return true;
}

void EventBuilder::lose(uint64_t count) {
  losing_ = true;
  // The counts come from a file, and may be anything.
  losingCount_ = SaturatingAdd(losingCount_, count);
  repairs_.lostEntries = SaturatingAdd(repairs_.lostEntries, count);
}

void EventBuilder::addLost(const LostRange &range) {
  lost_.push_back(range);
  lost_.back().position = uint32_t(eventCount_);
}

void EventBuilder::endLoss(Moment to) {
  losing_ = false;
  // What is lost before the first entry has no known beginning.
  Moment from = timeIsKnown_ ? now() : to;
  timeIsKnown_ = true;
  lost_.push_back(
      {uint32_t(eventCount_), from.time, to.time, losingCount_, noFunction, from.fuel, to.fuel});
  losingCount_ = 0;
}

bool EventBuilder::finish(size_t calls) {
  if (losing_ && timeIsKnown_)
    endLoss(now());
  for (; depth_ > 0 && calls > 0; --calls, ++repairs_.openCalls)
    pop(EventKind::endOpen);
  return depth_ == 0;
}

void EventBuilder::addUnmatchedEnds(ArrayRef<uint32_t> entries) {
  unmatchedEnds_.insert(unmatchedEnds_.end(), entries.begin(), entries.end());
}

void EventBuilder::clear() {
  eventCount_ = 0;
  lost_.clear();
  unmatchedEnds_.clear();
}
