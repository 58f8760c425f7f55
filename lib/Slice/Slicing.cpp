//===- Slicing.cpp --------------------------------------------------------===//

#include "warpo/Slice/Slicing.h"
#include "warpo/Record/FunctionTable.h"
#include "llvm/ADT/STLExtras.h"
#include <memory>

using namespace llvm;
using namespace warpo;

void warpo::reportNotes(const RecordBatch &batch, DamageReport &damage) {
  for (const RecordNote &note : batch.notes) {
    NoteWords words = wordsOf(note);
    damage.add(words.singular, words.plural, words.count, [&] { return note.place; });
  }
}

Expected<SlicingResult> warpo::sliceRecord(RecordReader &reader, FunctionTable &functions,
                                           Slicer &slicer, EventSink &sink, DamageReport &damage,
                                           function_ref<Error(const RecordBatch &)> observe) {
  SlicingResult result;
  std::vector<std::unique_ptr<EventBuilder>> builders;

  auto handOn = [&](EventBuilder &builder) -> Error {
    if (builder.batch().empty())
      return Error::success();
    if (Error error = sink.events(builder.batch()))
      return error;
    builder.clear();
    return Error::success();
  };

  RecordBatch batch;
  while (true) {
    if (sink.done()) {
      result.readWhole = false;
      break;
    }
    auto more = reader.next(batch);
    if (!more)
      return more.takeError();
    if (!*more)
      break;
    functions.adopt(reader.header());
    if (Error error = observe(batch))
      return error;
    if (!result.firstTime && !batch.times.empty())
      result.firstTime = batch.times.front();
    result.entries += batch.size();
    reportNotes(batch, damage);
    if (!batch.samples.empty()) {
      const StackSample &first = batch.samples.front();
      if (!result.firstTime)
        result.firstTime = first.time - first.timeSince;
      result.samples += batch.samples.size();
      if (Error error = sink.samples({batch.stream, batch.samples}))
        return error;
    }
    if (batch.stream >= builders.size())
      builders.resize(batch.stream + 1);
    auto &builder = builders[batch.stream];
    if (!builder) {
      if (batch.ids.empty() &&
          !any_of(batch.notes, [](const RecordNote &note) { return note.kind == NoteKind::lost; }))
        continue;
      uint64_t moduleId = reader.header().streams[batch.stream].moduleId;
      std::optional<uint64_t> firstTime;
      if (!batch.times.empty())
        firstTime = batch.times.front();
      builder = std::make_unique<EventBuilder>(batch.stream, firstTime, functions.idsOf(moduleId),
                                               result.repairs);
    }
    slicer.process(batch, *builder);
    uint64_t unmatched = builder->unmatchedEnds().size();
    if (unmatched > 0)
      damage.add("end without a begin", "ends without a begin", unmatched,
                 [&] { return reader.placeOf(builder->unmatchedEnds().front()); });
    if (Error error = handOn(*builder))
      return error;
  }
  for (auto &builder : builders) {
    if (!builder || !result.readWhole)
      continue;
    slicer.finish(*builder);
    for (bool finished = false; !finished;) {
      // What the slicer has ended of its own goes first.
      if (Error error = handOn(*builder))
        return error;
      finished = builder->finish(RecordColumns::capacity);
      if (Error error = handOn(*builder))
        return error;
    }
  }
  if (Error error = sink.finish())
    return error;
  return result;
}
