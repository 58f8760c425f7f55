//===- ReadingTool.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ReadingTool.h"
#include "MappingCheck.h"
#include "ReadingWindow.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Record/InputRemarks.h"
#include "warpo/Record/MovedSwitches.h"
#include "warpo/Record/OneStack.h"
#include "warpo/Record/RecordWalk.h"
#include "warpo/Slice/HostCallMarker.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/Gunzip.h"
#include "warpo/Support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

/// Opens an input, which must not be a saved profile.
static Expected<std::unique_ptr<InputStream>> openEvents(StringRef path,
                                                         const ReadingOptions &options) {
  auto stream = openGunzipped(path);
  if (!stream)
    return stream.takeError();
  auto saved = findProfileFormat(**stream);
  if (!saved)
    return saved.takeError();
  if (saved->first && options.inputFormat.empty())
    return fileError((*stream)->name(),
                     "a saved profile (" + saved->second + ") has sums and no events");
  return stream;
}

Expected<std::unique_ptr<RecordInput>> RecordInput::open(StringRef path,
                                                         const ReadingOptions &options) {
  auto stream = openEvents(path, options);
  if (!stream)
    return stream.takeError();
  return open(std::move(*stream), "", options);
}

Expected<std::unique_ptr<RecordInput>> RecordInput::openAll(ArrayRef<std::string> paths,
                                                            const ReadingOptions &options) {
  if (paths.size() == 1)
    return open(paths.front(), options);
  std::unique_ptr<RecordInput> input(new RecordInput(options));
  if (Error error = input->loadMapping(""))
    return error;
  if (Error error = input->mergeReaders(paths))
    return error;
  if (Error error = input->nameFunctions())
    return error;
  input->scale_ = input->reader_->header().measures.front().scale;
  return input;
}

Expected<std::unique_ptr<RecordInput>> RecordInput::open(std::unique_ptr<InputStream> stream,
                                                         StringRef mapping,
                                                         const ReadingOptions &options) {
  std::unique_ptr<RecordInput> input(new RecordInput(options));
  if (Error error = input->loadMapping(mapping))
    return error;
  auto reader = input->openReader(std::move(stream));
  if (!reader)
    return reader.takeError();
  input->reader_ = std::move(*reader);
  if (Error error = input->nameFunctions())
    return error;
  input->scale_ = input->reader_->header().measures.front().scale;
  auto scale = options.givenScale();
  if (!scale)
    return scale.takeError();
  const RecordHeader &header = input->reader_->header();
  if (!header.hasTime())
    if (Error error =
            checkNeeds(Need::clock, "that of " + input->title() + " is " + header.measures[0].name))
      return error;
  if (*scale)
    input->scale_ = *scale;
  return input;
}

std::vector<Measure> RecordInput::measures() const {
  std::vector<Measure> measures = reader_->header().measures;
  measures.front().scale = scale_;
  return measures;
}

Error RecordInput::loadMapping(StringRef given) {
  mapping_ = (given.empty() ? StringRef(options_.mapping) : given).str();
  if (given.empty() && options_.mapping.getNumOccurrences() == 0) {
    functions_ = std::make_unique<FunctionTable>();
  } else {
    auto functions = FunctionTable::load(mapping_, damage_);
    if (!functions)
      return functions.takeError();
    functions_ = std::move(*functions);
  }
  if (std::optional<SourcePaths> paths = options_.sourcePaths())
    functions_->renameFiles(*paths);
  if (options_.noInlines && *options_.noInlines)
    functions_->foldInlined();
  if (showsKinds())
    functions_->showCallKinds();
  if (joinsImports())
    functions_->joinImports();
  if (options_.oneStack)
    functions_->distinguishModules();
  return Error::success();
}

Expected<std::unique_ptr<RecordReader>>
RecordInput::openReader(std::unique_ptr<InputStream> stream) {
  paths_.push_back(stream->name().str());
  bool canReadTwice = stream->canSeek();
  auto reader = openRecord(std::move(stream), options_.inputFormat);
  if (!reader)
    return reader;
  if (auto *input = dynamic_cast<const InputRemarks *>(reader->get()))
    for (const std::string &remark : input->remarks())
      note(inputTitle(paths_.back()) + ": " + remark);
  if (options_.subtractOverhead)
    return subtractOverhead(std::move(*reader), canReadTwice);
  if (options_.oneStack)
    *reader = std::make_unique<OneStack>(std::move(*reader), paths_.back());
  return reader;
}

Expected<std::unique_ptr<RecordReader>>
RecordInput::subtractOverhead(std::unique_ptr<RecordReader> reader, bool canReadTwice) {
  const std::string &path = paths_.back();
  ProbeCost probe = reader->probe();
  if (probe.begin == 0 && probe.end == 0)
    return checkNeeds(Need::recordingCost, path + " does not have it");
  // A pipe can be read only once: then the stated cost of entries is used, and none of clock steps;
  // switches do not move.
  RecordingEffects effects{ProbeRange::of(probe, LeafCalls())};
  bool movesThreads = false;
  auto *source = dynamic_cast<RecordSource *>(reader.get());
  if (canReadTwice) {
    auto first = openAgain(path);
    if (!first)
      return first.takeError();
    auto measured = recordingEffects(**first);
    if (!measured)
      return measured.takeError();
    effects = std::move(*measured);
    movesThreads = source && !(*first)->header().switches.empty();
  }
  auto subtract = [&](std::unique_ptr<RecordReader> from) {
    if (options_.oneStack || movesThreads)
      from = std::make_unique<OneStack>(std::move(from), path, options_.oneStack);
    using Together = ProbeSubtraction::Together;
    return std::make_unique<ProbeSubtraction>(
        std::move(from), effects, movesThreads ? Together::sameThread : Together::sameStack);
  };
  if (movesThreads) {
    auto second = openAgain(path);
    if (!second)
      return second.takeError();
    auto moved = movedSwitches(*subtract(std::move(*second)));
    if (!moved)
      return moved.takeError();
    source->moveSwitches(std::move(*moved));
  }
  switchesMove_ &= canReadTwice && source;
  std::unique_ptr<ProbeSubtraction> subtraction = subtract(std::move(reader));
  subtractions_.push_back(subtraction.get());
  return subtraction;
}

Expected<std::unique_ptr<RecordReader>> RecordInput::openAgain(StringRef path) const {
  auto stream = openGunzipped(path);
  if (!stream)
    return stream.takeError();
  return openRecord(std::move(*stream), options_.inputFormat);
}

// Its streams may be ahead of one another, or stand one behind the other.
Expected<std::optional<uint64_t>> RecordInput::findEarliest(RecordReader &reader, StringRef path,
                                                            bool canReadTwice) const {
  auto known = reader.keepOnly(0, UINT64_MAX);
  if (!known || *known || !canReadTwice)
    return known;
  auto again = openAgain(path);
  if (!again)
    return again.takeError();
  std::optional<uint64_t> earliest;
  auto take = [&](const RecordBatch &batch) {
    std::optional<uint64_t> first = batch.beside.firstTime();
    if (!batch.times.empty())
      first = std::min(first.value_or(UINT64_MAX), batch.times.front());
    if (first)
      earliest = std::min(earliest.value_or(UINT64_MAX), *first);
    return Error::success();
  };
  if (Error error = forEachBatch(**again, take))
    return error;
  return earliest;
}

Error RecordInput::mergeReaders(ArrayRef<std::string> paths) {
  auto given = options_.givenScale();
  if (!given)
    return given.takeError();
  std::vector<MergedRecord::Part> parts;
  for (const std::string &path : paths) {
    auto stream = openEvents(path, options_);
    if (!stream)
      return stream.takeError();
    bool canReadTwice = (*stream)->canSeek();
    auto reader = openReader(std::move(*stream));
    if (!reader)
      return reader.takeError();
    std::optional<TimeScale> scale = *given ? *given : (*reader)->header().measures.front().scale;
    if (!scale)
      return fileError(
          paths_.back(),
          "does not say how long a count is, so it cannot be shown beside others; use --rate=ns");
    std::optional<uint64_t> earliest;
    if ((*reader)->header().wallClock == 0) {
      auto found = findEarliest(**reader, paths_.back(), canReadTwice);
      if (!found)
        return found.takeError();
      earliest = *found;
    }
    parts.push_back({std::move(*reader), inputTitle(paths_.back()), *scale, earliest});
  }
  auto merged = MergedRecord::create(std::move(parts));
  if (!merged)
    return merged.takeError();
  for (const std::string &name : (*merged)->unaligned())
    warn(name + " does not say when it was recorded: it is shown as if it began with the first of "
                "the records");
  reader_ = std::move(*merged);
  return Error::success();
}

std::string warpo::inputTitle(StringRef name) {
  return name == "<stdin>" ? "stdin" : sys::path::filename(name).str();
}

std::string RecordInput::title() const {
  std::string first = inputTitle(paths_.front());
  return paths_.size() == 1
             ? first
             : first + " and " + countOf(paths_.size() - 1, "other record", "other records");
}

Expected<SlicingResult> RecordInput::slice(EventSink &sink, uint64_t maxSlices,
                                           function_ref<Error(const RecordBatch &)> observe) {
  OverlapFinder overlaps(reader_->header());
  return read(sink, maxSlices, observe, &overlaps);
}

Expected<SlicingResult> RecordInput::readEntries(function_ref<Error(const RecordBatch &)> observe) {
  class NoSink : public CallSink {
    Error events(const EventBatch &) override { return Error::success(); }
    Error finish() override { return Error::success(); }
  } sink;
  return read(sink, /*maxSlices=*/0, observe, /*overlaps=*/nullptr);
}

Expected<SlicingResult> RecordInput::read(EventSink &sink, uint64_t maxSlices,
                                          function_ref<Error(const RecordBatch &)> observe,
                                          OverlapFinder *overlaps) {
  auto slicer = warpo::Registry<Slicer>::create(options_.slicer);
  if (!slicer)
    return slicer.takeError();
  auto limits = windowOf(options_, scale_);
  if (!limits)
    return limits.takeError();
  limits->maxSlices = maxSlices;
  bool mayEndEarly = false;
  if (limits->from || limits->to) {
    bool needsAll =
        limits->bySlice() || observe || !(*slicer)->needsOpenCallsOnly(reader_->header());
    auto start = needsAll
                     ? reader_->keepOnly(0, UINT64_MAX)
                     : reader_->keepOnly(limits->from.value_or(0), limits->to.value_or(UINT64_MAX));
    if (!start)
      return start.takeError();
    limits->start = *start;
    mayEndEarly = !needsAll && limits->to && limits->start;
  }
  EventWindow window(*limits, sink, functions_.get());
  EventSink &shown = limits->any() ? static_cast<EventSink &>(window) : sink;
  HostCallMarker marker(*functions_, shown);
  MappingCheck mappingCheck(*functions_, reader_->header());
  Progress progress(title(), reader_->inputSize(), options_.showsProgress());
  auto result =
      sliceRecord(*reader_, *functions_, **slicer,
                  showsKinds() ? static_cast<EventSink &>(marker) : shown, damage_,
                  [&](const RecordBatch &batch) {
                    progress.update(reader_->bytesRead());
                    if (!mapping_.empty())
                      mappingCheck.add(batch);
                    probeShare_.add(batch, reader_->header().stackOf(batch.stream), scale_);
                    return observe ? observe(batch) : Error::success();
                  },
                  {.overlaps = overlaps,
                   .start = limits->start,
                   .mayEndEarly = mayEndEarly,
                   .hasOwnTimes = subtractions_.empty()});
  if (showsKinds() && !functions_->hasCallKinds())
    note("--show-kinds: direct calls and calls through references are not distinguished, as the "
         "module was instrumented without call-kinds");
  if (joinsImports() && !functions_->knowsImports())
    note("--join-imports: the record does not say which functions are imports; instrument with "
         "call-kinds, or give --mapping=<the file of --info-file>");
  if (result && limits->from)
    reportLateStart(*limits->from, *result);
  bool isWindow = limits->from || limits->to;
  if (result && result->firstTime && isWindow && !limits->start &&
      window.start() > result->firstTime)
    reportEarlierEntry(*window.start() - *result->firstTime);
  if (overlaps)
    reportOverlap(*overlaps);
  if (window.cutCalls() > 0)
    note(countOf(window.cutCalls(), "call was", "calls were") +
         " still open after the last requested slice: they have no end, or, if the format "
         "needs one, that of the output");
  if (const SideCounts &ofNoSlice = window.ofNoSlice(); result && !ofNoSlice.words().empty()) {
    note("--slices: " + join(ofNoSlice.words(), " and ") +
         " left out, since they belong to no slice");
    // Outputs of calls need not say that they leave them out, too.
    if (result->entries > 0)
      result->samples -= ofNoSlice.samples;
  }
  if (result && !mapping_.empty())
    if (Error error = mappingCheck.finish(mapping_, title()))
      return error;
  addFunctionDamage();
  if (!result)
    reportDamage();
  return result;
}
