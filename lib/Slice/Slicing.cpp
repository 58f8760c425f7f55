//===- Slicing.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/Slicing.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/CallsAtEnd.h"
#include "warpo/Slice/LinkedCalls.h"
#include "warpo/Slice/OverlapFinder.h"
#include "warpo/Slice/StackCounts.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <memory>

using namespace llvm;
using namespace warpo;

void warpo::reportNotes(const RecordBatch &batch, const RecordHeader &header,
                        DamageReport &damage) {
  for (const RecordNote &note : batch.notes) {
    NoteWords words = wordsOf(note, header.columns());
    damage.add(words.singular, words.plural, words.count, [&] { return note.place; });
  }
}

Expected<SlicingResult> warpo::sliceRecord(RecordReader &reader, FunctionTable &functions,
                                           Slicer &slicer, EventSink &output, DamageReport &damage,
                                           function_ref<Error(const RecordBatch &)> observe,
                                           const SlicingOptions &options) {
  SlicingResult result;
  result.firstTime = options.start;
  reader.observe(functions);
  LinkedCalls sink(functions, output);
  std::vector<std::unique_ptr<EventBuilder>> builders;

  auto handOn = [&](EventBuilder &builder) -> Error {
    if (builder.batch().empty())
      return Error::success();
    if (Error error = sink.events(builder.batch()))
      return error;
    builder.clear();
    return Error::success();
  };

  // By stack: the place of the last trap that ended a batch.
  std::map<StreamIndex, std::string> traps;
  uint64_t countedTraps = 0;
  auto reportTraps = [&](function_ref<std::string()> place) {
    if (uint64_t more =
            result.repairs.strayTraps - std::exchange(countedTraps, result.repairs.strayTraps))
      damage.add("trap that no end follows", "traps that no end follows", more, place);
  };

  StackCounts stackCounts;
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
    if (Error error = observe(batch))
      return error;
    if (!batch.times.empty()) {
      result.firstTime = std::min(result.firstTime.value_or(UINT64_MAX), batch.times.front());
      result.lastTime = std::max(result.lastTime.value_or(0), batch.times.back());
    }
    result.entries += batch.size();
    reportNotes(batch, reader.header(), damage);
    if (!batch.beside.empty()) {
      if (std::optional<uint64_t> begin = batch.beside.begin())
        result.firstTime = std::min(result.firstTime.value_or(UINT64_MAX), *begin);
      result.samples += batch.beside.samples.size();
      if (std::optional<uint64_t> last = batch.beside.lastTime())
        result.lastTime = std::max(result.lastTime.value_or(0), *last);
      if (Error error = sink.beside({batch.stream, batch.beside}))
        return error;
    }
    const StreamInfo &stream = reader.header().streams[batch.stream];
    StreamIndex stack = reader.header().stackOf(batch.stream);
    if (stack >= builders.size())
      builders.resize(stack + 1);
    auto &builder = builders[stack];
    const StreamIndex own = batch.stream;
    if (stream.stack) {
      batch.counts = stackCounts.sumsOf(stack, batch);
      batch.stream = stack;
    }
    if (!builder) {
      if (batch.ids.empty() &&
          !any_of(batch.notes, [](const RecordNote &note) { return note.kind == NoteKind::lost; }))
        continue;
      std::optional<uint64_t> firstTime;
      if (!batch.times.empty())
        firstTime = batch.times.front();
      builder = std::make_unique<EventBuilder>(stack, firstTime, functions.idsOf(own, stream),
                                               result.repairs);
    }
    if (stream.stack || !stream.windows.empty())
      builder->enterModule(functions.idsOf(own, stream));
    slicer.process(batch, *builder);
    reportTraps([&] { return reader.placeOf(0); });
    if (!batch.ids.empty() && batch.ids.back() == trapId)
      traps[stack] = reader.placeOf(batch.size() - 1);
    uint64_t unmatched = builder->unmatchedEnds().size();
    if (unmatched > 0)
      damage.add("end without a begin", "ends without a begin", unmatched,
                 [&] { return reader.placeOf(builder->unmatchedEnds().front()); });
    if (options.overlaps)
      options.overlaps->add(stack, builder->batch().events, builder->depth());
    if (Error error = handOn(*builder))
      return error;
  }
  if (options.overlaps)
    options.overlaps->finish(result.readWhole);
  if (result.readWhole && damage.empty() && options.hasOwnTimes)
    advanceToEndOfPhase(reader.header(), builders);
  for (auto &builder : builders) {
    if (!builder || !result.readWhole)
      continue;
    builder->assumeTime(result.firstTime.value_or(reader.header().origin));
    slicer.finish(*builder);
    for (bool finished = false; !finished;) {
      // First those of the slicer.
      if (Error error = handOn(*builder))
        return error;
      finished = builder->finish(RecordColumns::capacity);
      if (!options.mayEndEarly)
        reportTraps([&] { return traps[builder->stream()]; });
      if (Error error = handOn(*builder))
        return error;
    }
  }
  if (Error error = sink.finish())
    return error;
  return result;
}
