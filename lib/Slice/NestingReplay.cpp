//===- NestingReplay.cpp --------------------------------------------------===//

#include "warpo/Slice/NestingReplay.h"

using namespace llvm;
using namespace warpo;

NestingReplay::Stream &NestingReplay::streamOf(const RecordBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  if (!stream.builder) {
    uint64_t moduleId = header_.streams[batch.stream].moduleId;
    std::optional<uint64_t> firstTime;
    if (!batch.times.empty())
      firstTime = batch.times.front();
    stream.builder = std::make_unique<EventBuilder>(batch.stream, firstTime,
                                                    functions_.idsOf(moduleId), repairs_);
  }
  return stream;
}

ArrayRef<FunctionIndex> NestingReplay::openCalls(StreamIndex stream) const {
  return stream < streams_.size() ? ArrayRef(streams_[stream].open) : ArrayRef<FunctionIndex>();
}

void NestingReplay::replay(const RecordBatch &batch, function_ref<void(const RecordNote &)> onNote,
                           function_ref<void(const NestedEntry &)> onEntry) {
  Stream &stream = streamOf(batch);
  std::vector<FunctionIndex> &open = stream.open;
  stream.builder->clear();
  stream.builder->replay(batch);
  // Every begin made one event, every end that matched one or more, every other end a lost range.
  const Event *event = stream.builder->batch().events.begin();
  const LostRange *lost = stream.builder->batch().lost.begin();
  ArrayRef<uint32_t> unmatched = stream.builder->unmatchedEnds();
  ArrayRef<RecordNote> notes = batch.notes;
  for (size_t i = 0; i < batch.size(); ++i) {
    for (const RecordNote &note : takeUpTo(notes, i))
      onNote(note);
    FunctionIndex top = open.empty() ? noFunction : open.back();
    if (batch.ids[i] > 0) {
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
      while (own->kind == EventKind::endUnwound)
        ++own;
      size_t depth = open.size() - 1 - size_t(own - event);
      onEntry({i, /*begins=*/false, /*matched=*/true, own->function, depth,
               ArrayRef(open).drop_front(depth + 1), top});
      open.resize(depth);
      event = own + 1;
    }
  }
  for (const RecordNote &note : notes)
    onNote(note);
}
