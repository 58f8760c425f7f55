//===- TimelineTool.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/TimelineTool.h"
#include "../common/FormatHint.h"
#include "../reading/PhaseInput.h"
#include "TableFolder.h"
#include "TimelineSteps.h"
#include "warpo/Support/CounterRate.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

static TimeScale measureScale() {
  CounterRate rate = measureCounterRate();
  TimeScale scale(rate.nanoseconds, rate.counts);
  std::string text;
  raw_string_ostream(text) << format("%.4f", scale.nanosecondsPerCount());
  warn("the record does not say how long a count is: taking this machine's counter, " + text +
       " ns, which holds only for a record made here (--rate=" + text + ")");
  return scale;
}

static Error chooseClock(const TimelineRequest &request, const TimelineBackend &backend,
                         RecordInput &input, TimelineInfo &info) {
  using Clock = TimelineRequest::Clock;
  const RecordHeader &header = input.reader().header();
  const Measure *measure = &header.measures.front();
  if (request.clock == Clock::measure)
    measure = header.findMeasure(request.measure);
  if (!measure)
    return makeError("--weight=" + request.measure + ": " + input.title() + " has no " +
                     request.measure);
  if (request.clock == Clock::calls || request.clock == Clock::samples)
    info.unit = request.clock == Clock::calls ? "calls" : "samples";
  else if (!measure->isTime())
    info.unit = measure->unit;
  else if (!input.scale() && request.clock == Clock::timeOrTicks)
    info.unit = "ticks";
  else
    info.scale = input.scale() ? *input.scale() : measureScale();
  if (info.unit != "ns" && !backend.saysUnit())
    note("the format '" + request.format + "' has only time: a nanosecond stands for one of " +
         info.unit);
  return Error::success();
}

namespace {

/// Stops at the first failed write, instead of converting the rest of a huge record.
class CheckedSink : public ForwardingSink {
public:
  CheckedSink(TimelineBackend &backend, OutputFile &file) : ForwardingSink(backend), file_(file) {}

  Error events(const EventBatch &batch) override {
    if (Error error = next_.events(batch))
      return error;
    return file_.check();
  }
  Error beside(const SideBatch &batch) override {
    if (Error error = next_.beside(batch))
      return error;
    return file_.check();
  }

private:
  OutputFile &file_;
};

} // namespace

static Error checkFormat(const TimelineRequest &request, const TimelineBackend &backend) {
  std::string cannot = "'" + request.format + "' cannot";
  if (request.options.compress && !backend.canCompress())
    return unmetNeed("--compress", Need::compression, cannot);
  if (request.options.chunkEvents && !backend.canChunk())
    return unmetNeed("--chunk-events", Need::chunks, cannot);
  if (request.sourceUrl && !backend.canLink())
    return unmetNeed("--source-url", Need::links, cannot);
  if (!request.labels.empty() && !backend.showsLabels())
    return unmetNeed("--label", Need::labels, "'" + request.format + "' has none");
  if (request.view.dropsDeeper && !backend.canLeaveOut())
    return unmetNeed("--max-depth-drop", Need::leftOutTime, cannot);
  if (request.view.phaseRoots && request.records.size() > 1)
    return unmetNeed("--phases=roots", Need::oneRecord,
                     Twine(request.records.size()) + " are given");
  return Error::success();
}

Expected<ToolResult> warpo::writeTimeline(const TimelineRequest &request,
                                          const ReadingOptions &options) {
  auto backend = createFormat<TimelineBackend>(request.format);
  if (!backend)
    return backend.takeError();
  if (Error error = checkFormat(request, **backend))
    return error;
  auto input = RecordInput::openAll(request.records, options);
  if (!input)
    return input.takeError();
  // Calls made of samples are distinguished by line.
  if ((*backend)->takesSamples())
    (*input)->functions().showLines();
  std::optional<HostPhases> phases;
  if (request.view.phaseRoots) {
    auto read = readHostPhases(**input);
    if (!read)
      return read.takeError();
    phases = std::move(*read);
  }
  if (request.renaming)
    (*input)->functions().renameFunctions(request.renaming);
  (*input)->functions().distinguishNames();
  const bool isPiece = request.maxSlices > 0 || options.choosePart();
  const std::string title = request.title.empty() ? (*input)->title() : request.title;
  OutputOrigin origin{.labels = request.labels};
  OutputPlace place{request.output};
  NewFolders folders;
  if ((*backend)->formsFolders() && StringRef(request.output).ends_with("/")) {
    if (isPiece)
      return makeError(request.output + ": a folder of tables has whole records: write a part of "
                                        "one to a file");
    if (uint64_t wall = (*input)->reader().header().wallClock)
      origin.window = TimeWindow{wall, wall};
    auto found = placeInFolder(request.output, title, (*backend)->extension(), origin);
    if (!found)
      return found.takeError();
    place = std::move(*found);
    if (Error error = folders.make(sys::path::parent_path(place.path)))
      return error;
  }
  auto file = OutputFile::create(place.path, request.format, (*backend)->isBinary());
  if (!file)
    return file.takeError();
  if (place.isNew)
    (*file)->mustBeNew();

  // Of a pipe they stay unknown: then the format says what it leaves out.
  if (Error error = (*input)->reader().addColumnsAhead().takeError())
    return error;
  TimelineInfo info{.header = (*input)->reader().header(),
                    .functions = (*input)->functions(),
                    .scale = {},
                    .title = title,
                    .isPiece = isPiece};
  if (Error error = chooseClock(request, **backend, **input, info))
    return error;
  info.sourceUrl = request.sourceUrl;
  info.labels = std::move(origin.labels);
  if (request.view.dropsDeeper)
    info.leftOut = (*input)->functions().pseudoFunction("(left out)");
  if (Error error = (*backend)->begin(info, request.options, (*file)->os()))
    return error;
  CheckedSink sink(**backend, **file);
  TimelineSteps steps(request, info, phases ? &*phases : nullptr, (*input)->functions(), **backend,
                      sink);
  auto result = (*input)->slice(steps.first(), request.maxSlices);
  if (!result)
    return result.takeError();
  if (Error error = steps.report(request, (*input)->title(), *result))
    return error;
  TimelineSummary summary = (*backend)->summary();
  // No note if the user chose the axis.
  ArrayRef<Measure> columns = info.header.columns();
  bool showsTime = request.clock == TimelineRequest::Clock::time;
  if (!columns.empty() && showsTime && !(*backend)->takesColumns())
    note("the format '" + request.format + "' has no place for " + namesOf(columns));
  if (summary.events == 0 && (result->samples == 0 || !(*backend)->takesSamples()))
    note("the timeline is empty: the requested part has no calls");
  for (const std::string &text : summary.notes)
    note(text);
  for (const std::string &omission : (*backend)->omissions())
    note("the format '" + request.format + "' has no place for " + omission);
  return (*input)->finish(**file);
}
