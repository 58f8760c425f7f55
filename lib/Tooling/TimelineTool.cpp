//===- TimelineTool.cpp ---------------------------------------------------===//

#include "warpo/Tooling/TimelineTool.h"
#include "warpo/Slice/EventClock.h"
#include "warpo/Support/CounterRate.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace warpo;

// Long enough for 4 digits, short beside the rest of the work.
static constexpr unsigned measuringTime = 10;

static TimeScale measureScale() {
  CounterRate rate = measureCounterRate(measuringTime);
  TimeScale scale(rate.nanoseconds, rate.counts);
  std::string text;
  raw_string_ostream(text) << format("%.4f", scale.nanosecondsPerCount());
  warn("the record does not say how long a count is: taking this machine's counter, " + text +
       " ns, which holds only for a record made here (--rate=" + text + ")");
  return scale;
}

/// Makes `info` say what times are, and how long a count of them is.
static Error chooseClock(const TimelineRequest &request, const TimelineBackend &backend,
                         RecordInput &input, TimelineInfo &info) {
  using Clock = TimelineRequest::Clock;
  const RecordHeader &header = input.reader().header();
  if (request.clock == Clock::fuel && header.fuelClock.empty())
    return makeError("--weight=fuel: " + input.title() + " has no fuel");
  if (request.clock == Clock::calls)
    info.unit = "calls";
  else if (request.clock == Clock::fuel || header.timeIsFuel)
    info.unit = header.fuelClock;
  else if (!input.scale() && request.clock == Clock::timeOrTicks)
    info.unit = "ticks";
  else
    info.scale = input.scale() ? *input.scale() : measureScale();
  if (info.unit != "ns" && !backend.saysUnit())
    note("the format '" + request.format + "' knows time alone: a nanosecond stands for one of " +
         info.unit);
  return Error::success();
}

namespace {

/// Ends the work at the first write that fails: the rest of a huge record would be converted for
/// nothing.
class CheckedSink : public EventSink {
public:
  CheckedSink(TimelineBackend &backend, OutputFile &file) : backend_(backend), file_(file) {}

  Error events(const EventBatch &batch) override {
    if (Error error = backend_.events(batch))
      return error;
    return file_.check();
  }
  Error samples(const SampleBatch &batch) override {
    if (Error error = backend_.samples(batch))
      return error;
    return file_.check();
  }
  Error finish() override { return backend_.finish(); }
  bool done() const override { return backend_.done(); }

private:
  TimelineBackend &backend_;
  OutputFile &file_;
};

} // namespace

static Error checkOptions(const TimelineRequest &request, const TimelineBackend &backend) {
  if (request.options.compress && !backend.canCompress())
    return makeError("--compress: the format '" + request.format + "' cannot be compressed");
  if (request.options.chunkEvents && !backend.canChunk())
    return makeError("--chunk-events: the format '" + request.format + "' has no state to restart");
  return Error::success();
}

Expected<ToolResult> warpo::writeTimeline(const TimelineRequest &request,
                                          const ReadingOptions &options) {
  auto backend = warpo::Registry<TimelineBackend>::create(request.format);
  if (!backend)
    return backend.takeError();
  if (Error error = checkOptions(request, **backend))
    return error;
  auto input = RecordInput::openAll(request.records, options);
  if (!input)
    return input.takeError();
  if (request.demangle)
    (*input)->functions().renameFunctions(demangleName);
  auto file = OutputFile::create(request.output, request.format, (*backend)->isBinary());
  if (!file)
    return file.takeError();

  TimelineInfo info{.header = (*input)->reader().header(),
                    .functions = (*input)->functions(),
                    .scale = {},
                    .title = request.title.empty() ? (*input)->title() : request.title,
                    .isPiece = request.maxSlices > 0 || options.from.getNumOccurrences() > 0 ||
                               options.to.getNumOccurrences() > 0 ||
                               options.slices.getNumOccurrences() > 0};
  if (Error error = chooseClock(request, **backend, **input, info))
    return error;
  if (Error error = (*backend)->begin(info, request.options, (*file)->os()))
    return error;
  CheckedSink sink(**backend, **file);
  std::optional<EventClock> clock;
  if (request.clock == TimelineRequest::Clock::calls)
    clock.emplace(EventClock::Kind::calls, sink);
  else if (request.clock == TimelineRequest::Clock::fuel && !info.header.timeIsFuel)
    clock.emplace(EventClock::Kind::fuel, sink);
  auto result = (*input)->slice(clock ? static_cast<EventSink &>(*clock) : sink, request.maxSlices);
  if (!result)
    return result.takeError();
  TimelineSummary summary = (*backend)->summary();
  if (!request.callsOption.empty() && result->entries == 0 && result->samples > 0)
    return makeError("--" + request.callsOption + " shows calls, and " + (*input)->title() +
                     " has samples only");
  if (result->samples > 0 && !request.callsOption.empty())
    warn(countOf(result->samples, "sample") + " left out, as --" + request.callsOption +
         " shows calls");
  else if (result->samples > 0 && !(*backend)->takesSamples())
    warn("the format '" + request.format + "' has no place for " +
         countOf(result->samples, "sample"));
  // Who chose what is along the axis has chosen.
  bool hasFuel = !info.header.fuelClock.empty() && !info.header.timeIsFuel;
  if (hasFuel && request.clock == TimelineRequest::Clock::time && !(*backend)->takesFuel())
    note("the format '" + request.format + "' has no place for fuel");
  if (summary.events == 0 && (result->samples == 0 || !(*backend)->takesSamples()))
    note("the timeline is empty: there is no call in what was asked for");
  for (const std::string &text : summary.notes)
    note(text);
  // Before the commit: what --strict refuses leaves no file.
  auto verdict = (*input)->finish();
  if (!verdict)
    return verdict;
  if (Error error = (*file)->commit())
    return error;
  return verdict;
}
