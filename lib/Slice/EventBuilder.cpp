//===- EventBuilder.cpp ---------------------------------------------------===//

#include "warpo/Slice/EventBuilder.h"

using namespace llvm;
using namespace warpo;

EventSink::~EventSink() = default;

void EventBuilder::replay(const RecordBatch &batch) {
  ArrayRef<RecordNote> notes = batch.notes;
  size_t size = batch.size();
  for (size_t i = 0; i < size;) {
    for (; !notes.empty() && notes.front().position <= i; notes = notes.drop_front())
      if (notes.front().kind == NoteKind::lost)
        lose(notes.front().count);
    // Notes are rare: the loop that runs for every entry does not look at them.
    size_t stop = notes.empty() ? size : std::min<size_t>(size, notes.front().position);
    for (; i < stop; ++i) {
      int32_t id = batch.ids[i];
      if (id > 0)
        begin(batch.times[i], id);
      else if (LLVM_UNLIKELY(!end(batch.times[i], -id)))
        unmatchedEnds_.push_back(uint32_t(i));
    }
  }
  for (const RecordNote &note : notes)
    if (note.kind == NoteKind::lost)
      lose(note.count);
}

bool EventBuilder::endBelowTop(uint64_t previous, uint64_t time, FunctionIndex function) {
  if (function >= openCalls_.size() || openCalls_[function] == 0) {
    ++repairs_.endsWithoutBegin;
    lost_.push_back({uint32_t(events_.size()), previous, time, 0, function});
    return false;
  }
  for (; stack_.back() != function; ++repairs_.unwoundCalls)
    pop(time, EventKind::endUnwound);
  pop(time, EventKind::endReturned);
  return true;
}

void EventBuilder::lose(uint64_t count) {
  losing_ = true;
  losingCount_ += count;
  repairs_.lostEntries += count;
}

void EventBuilder::addLost(const LostRange &range) {
  lost_.push_back(range);
  lost_.back().position = uint32_t(events_.size());
}

void EventBuilder::endLoss(uint64_t time) {
  losing_ = false;
  lost_.push_back({uint32_t(events_.size()), lastTime_, time, losingCount_, noFunction});
  losingCount_ = 0;
}

void EventBuilder::finish() {
  if (losing_)
    endLoss(lastTime_);
  for (; !stack_.empty(); ++repairs_.openCalls)
    pop(lastTime_, EventKind::endOpen);
}

void EventBuilder::addUnmatchedEnds(ArrayRef<uint32_t> entries) {
  unmatchedEnds_.insert(unmatchedEnds_.end(), entries.begin(), entries.end());
}

void EventBuilder::clear() {
  events_.clear();
  lost_.clear();
  unmatchedEnds_.clear();
}
