//===- NestingReplay.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/NestingReplay.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace warpo;

NestingReplay::Stack &NestingReplay::stackOf(const RecordBatch &batch) {
  StreamIndex index = header_.stackOf(batch.stream);
  if (index >= stacks_.size())
    stacks_.resize(index + 1);
  Stack &stack = stacks_[index];
  FunctionIds &ids = functions_.idsOf(batch.stream, header_.streams[batch.stream]);
  if (!stack.builder) {
    std::optional<uint64_t> firstTime;
    if (!batch.times.empty())
      firstTime = batch.times.front();
    stack.builder = std::make_unique<EventBuilder>(index, firstTime, ids, repairs_);
  }
  stack.builder->enterModule(ids);
  return stack;
}

ArrayRef<FunctionIndex> NestingReplay::openCalls(StreamIndex stack) const {
  return stack < stacks_.size() ? ArrayRef(stacks_[stack].open) : ArrayRef<FunctionIndex>();
}

void NestingReplay::replay(const RecordBatch &batch, function_ref<void(const RecordNote &)> onNote,
                           function_ref<void(const NestedEntry &)> onEntry) {
  Stack &stack = stackOf(batch);
  std::vector<FunctionIndex> &open = stack.open;
  stack.builder->clear();
  stack.builder->replay(batch);
  // Every begin made one event, except that a trap made none. Every end that matched made one or
  // more events, every other end a lost range.
  const Event *event = stack.builder->batch().events.begin();
  const LostRange *lost = stack.builder->batch().lost.begin();
  ArrayRef<uint32_t> unmatched = stack.builder->unmatchedEnds();
  ArrayRef<RecordNote> notes = batch.notes;
  for (size_t i = 0; i < batch.size(); ++i) {
    for (const RecordNote &note : takeUpTo(notes, i))
      onNote(note);
    FunctionIndex top = open.empty() ? noFunction : open.back();
    uint8_t traps = std::exchange(stack.traps, 0);
    if (batch.ids[i] == trapId) {
      stack.traps = std::min(traps + 1, 2);
      onEntry({i, /*begins=*/true, /*matched=*/true, noFunction, open.size(), {}, top});
    } else if (batch.ids[i] > 0) {
      onEntry({i, /*begins=*/true, /*matched=*/true, event->function, open.size(), {}, top});
      open.push_back(event->function);
      ++event;
    } else if (!unmatched.empty() && unmatched.front() == i) {
      unmatched = unmatched.drop_front();
      while (lost->function == noFunction)
        ++lost;
      onEntry({i, /*begins=*/false, /*matched=*/false, lost->function, open.size(), {}, top});
      ++lost;
    } else {
      const Event *own = event;
      bool isTrapped = traps && own->kind == EventKind::endTrapped;
      // All calls ended by a trap have the same kind of end, and those of the next trap may follow.
      FunctionIndex function = isTrapped ? stack.builder->ids().find(-batch.ids[i]) : noFunction;
      if (isTrapped && traps > 1)
        own += open.end() - 1 - llvm::find(open, function);
      else
        while (isTrapped ? own->function != function : own->kind == EventKind::endUnwound)
          ++own;
      size_t depth = open.size() - 1 - size_t(own - event);
      onEntry({i, /*begins=*/false, /*matched=*/true, own->function, depth,
               ArrayRef(open).drop_front(depth + 1), top, isTrapped});
      open.resize(depth);
      event = own + 1;
    }
  }
  for (const RecordNote &note : notes)
    onNote(note);
}
