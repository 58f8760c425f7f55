//===- ReadingTool.cpp ----------------------------------------------------===//

#include "warpo/Tooling/ReadingTool.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Slice/HostCallMarker.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

ReadingOptions::ReadingOptions(bool showsKinds)
    : mapping("mapping", cl::desc("Names of the functions: a text or JSON mapping"),
              cl::value_desc("file"), cl::cat(toolOptions())),
      rate("rate", cl::desc("Nanoseconds a count of the record's clock, as in 0.4"),
           cl::value_desc("ns"), cl::cat(toolOptions())),
      inputFormat("input-format", cl::desc("Format of the record (default: by its first bytes)"),
                  cl::value_desc("name"), cl::cat(toolOptions())),
      listInputFormats("list-input-formats", cl::desc("List the formats of records"),
                       cl::cat(toolOptions())),
      slicer("slicer", cl::desc("Which calls to make of the record (default: calls)"),
             cl::value_desc("name"), cl::init("calls"), cl::cat(toolOptions())),
      listSlicers("list-slicers", cl::desc("List the slicers"), cl::cat(toolOptions())),
      from("from",
           cl::desc("Leave out what happens before; since the start, as in 1.5s, 20ms, "
                    "3us, 40ns or counts"),
           cl::value_desc("time"), cl::cat(toolOptions())),
      to("to", cl::desc("Leave out what happens after"), cl::value_desc("time"),
         cl::cat(toolOptions())),
      slices("slices", cl::desc("Only these calls from the host, as in 3..5; the first is 1"),
             cl::value_desc("A..B"), cl::cat(toolOptions())),
      subtractOverhead("subtract-overhead",
                       cl::desc("Take off the times what recording took, as the record says"),
                       cl::cat(toolOptions())),
      strict("strict", cl::desc("Fail if the input is damaged"), cl::cat(toolOptions())),
      noProgress("no-progress", cl::desc("Draw no progress bar"), cl::cat(toolOptions())),
      mappingText("trace-point-mapping-file", cl::desc("The same as --mapping, for a text"),
                  cl::aliasopt(mapping), cl::cat(toolOptions())),
      mappingJson("trace-point-mapping-json-file", cl::desc("The same as --mapping, for JSON"),
                  cl::aliasopt(mapping), cl::cat(toolOptions())),
      rateLong("count-to-perfetto-timestamp-rate", cl::desc("The same as --rate"),
               cl::aliasopt(rate), cl::cat(toolOptions())) {
  if (showsKinds)
    showKinds.emplace("show-kinds",
                      cl::desc("Show functions by how they were entered: f, f [reference], "
                               "f [host]"),
                      cl::cat(toolOptions()));
}

std::optional<Expected<ToolResult>> ReadingOptions::list() const {
  if (listSlicers)
    return printRegistry<Slicer>();
  if (listInputFormats)
    return printRegistry<RecordFormat>();
  return std::nullopt;
}

Expected<std::optional<TimeScale>> ReadingOptions::givenScale() const {
  if (rate.getNumOccurrences() == 0)
    return std::nullopt;
  auto scale = TimeScale::parse(rate);
  if (!scale)
    return makeError("--rate: " + toString(scale.takeError()));
  return *scale;
}

/// Opens what is not a saved profile.
static Expected<std::unique_ptr<InputStream>> openEvents(StringRef path,
                                                         const ReadingOptions &options) {
  auto stream = InputStream::open(path);
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
  input->functions_->adopt(input->reader_->header());
  input->scale_ = input->reader_->header().scale;
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
  input->functions_->adopt(input->reader_->header());
  input->scale_ = input->reader_->header().scale;
  auto scale = options.givenScale();
  if (!scale)
    return scale.takeError();
  if (*scale && input->reader_->header().timeIsFuel)
    return makeError("--rate: the only clock of " + input->title() + " is fuel, which has no rate");
  if (*scale)
    input->scale_ = *scale;
  return input;
}

Error RecordInput::loadMapping(StringRef given) {
  if (options_.mapping.getNumOccurrences() > 1)
    return makeError("more than one mapping is given (--mapping, --trace-point-mapping-file and "
                     "--trace-point-mapping-json-file exclude each other)");
  mapping_ = (given.empty() ? StringRef(options_.mapping) : given).str();
  if (given.empty() && options_.mapping.getNumOccurrences() == 0) {
    functions_ = std::make_unique<FunctionTable>();
  } else {
    auto functions = FunctionTable::load(mapping_, damage_);
    if (!functions)
      return functions.takeError();
    functions_ = std::move(*functions);
  }
  if (showsKinds())
    functions_->showCallKinds();
  return Error::success();
}

Expected<std::unique_ptr<RecordReader>>
RecordInput::openReader(std::unique_ptr<InputStream> stream) {
  paths_.push_back(stream->name().str());
  auto reader = openRecord(std::move(stream), options_.inputFormat);
  if (!reader || !options_.subtractOverhead)
    return reader;
  ProbeCost probe = (*reader)->header().probe;
  if (probe.begin == 0 && probe.end == 0)
    return makeError("--subtract-overhead: " + paths_.back() + " does not say what recording took");
  auto subtraction = std::make_unique<ProbeSubtraction>(std::move(*reader));
  subtractions_.push_back(subtraction.get());
  return subtraction;
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
    auto reader = openReader(std::move(*stream));
    if (!reader)
      return reader.takeError();
    std::optional<TimeScale> scale = *given ? *given : (*reader)->header().scale;
    if (!scale)
      return fileError(paths_.back(), "does not say how long a count is, so that it cannot be "
                                      "shown beside others; --rate=ns says it");
    parts.push_back({std::move(*reader), inputTitle(paths_.back()), *scale});
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

void RecordInput::tellSubtraction() const {
  if (subtractions_.empty())
    return;
  double all = 0;
  double subtracted = 0;
  for (const ProbeSubtraction *subtraction : subtractions_) {
    all += double(subtraction->recorded());
    subtracted += double(subtraction->subtracted());
  }
  double share = all == 0 ? 0 : 100.0 * subtracted / all;
  note(formatv("subtracted {0:f1} % of the time, as recording took it", share).str());
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

Expected<uint64_t> warpo::parseTime(StringRef text, std::optional<TimeScale> scale,
                                    StringRef option) {
  static constexpr std::pair<StringLiteral, uint64_t> units[] = {
      {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
  auto malformed = [&] {
    return makeError("--" + option + "=" + text +
                     ": not a time (as in 1.5s, 20ms, 300us, 40ns, or counts without a unit)");
  };
  StringRef number = text;
  for (const auto &[unit, nanoseconds] : units) {
    if (!number.consume_back(unit))
      continue;
    if (!scale)
      return makeError("--" + option + "=" + text +
                       ": the record does not say how long a count is; give --rate, or counts "
                       "without a unit");
    double value;
    if (number.getAsDouble(value) || !(value >= 0) || value * double(nanoseconds) > 9.2e18)
      return malformed();
    return scale->toCounts(uint64_t(value * double(nanoseconds) + 0.5));
  }
  uint64_t counts;
  if (number.getAsInteger(10, counts))
    return malformed();
  return counts;
}

static Error parseSlices(StringRef text, WindowLimits &limits) {
  auto [first, last] = text.split("..");
  uint64_t firstSlice = 1;
  uint64_t lastSlice = UINT64_MAX;
  bool isRange = text.contains("..");
  bool malformed = (!first.empty() && first.getAsInteger(10, firstSlice)) ||
                   (!last.empty() && last.getAsInteger(10, lastSlice)) || text.empty() ||
                   firstSlice == 0;
  if (!isRange)
    lastSlice = firstSlice;
  if (malformed || lastSlice < firstSlice)
    return makeError("--slices=" + text +
                     ": not a range of slices (as in 3..5, 3.., ..5 or 3; the "
                     "first is 1)");
  limits.firstSlice = firstSlice;
  limits.lastSlice = lastSlice;
  return Error::success();
}

static Expected<WindowLimits> windowOf(const ReadingOptions &options,
                                       std::optional<TimeScale> scale) {
  WindowLimits limits;
  auto readTime = [&](const cl::opt<std::string> &option, std::optional<uint64_t> &limit) -> Error {
    if (option.getNumOccurrences() == 0)
      return Error::success();
    auto counts = parseTime(option, scale, option.ArgStr);
    if (!counts)
      return counts.takeError();
    limit = *counts;
    return Error::success();
  };
  if (Error error = readTime(options.from, limits.from))
    return error;
  if (Error error = readTime(options.to, limits.to))
    return error;
  if (limits.from && limits.to && *limits.to < *limits.from)
    return makeError("--to=" + options.to + " lies before --from=" + options.from);
  if (options.slices.getNumOccurrences() > 0)
    if (Error error = parseSlices(options.slices, limits))
      return error;
  return limits;
}

Expected<SlicingResult> RecordInput::slice(EventSink &sink, uint64_t maxSlices,
                                           function_ref<Error(const RecordBatch &)> observe) {
  auto slicer = warpo::Registry<Slicer>::create(options_.slicer);
  if (!slicer)
    return slicer.takeError();
  auto limits = windowOf(options_, scale_);
  if (!limits)
    return limits.takeError();
  limits->maxSlices = maxSlices;
  if ((limits->from || limits->to) && !limits->bySlice() && !observe &&
      (*slicer)->needsOpenCallsOnly(reader_->header())) {
    auto start = reader_->keepOnly(limits->from.value_or(0), limits->to.value_or(UINT64_MAX));
    if (!start)
      return start.takeError();
    limits->start = *start;
  }
  EventWindow window(*limits, sink);
  EventSink &shown = limits->any() ? static_cast<EventSink &>(window) : sink;
  HostCallMarker marker(*functions_, reader_->header(), shown);
  Progress progress(title(), reader_->inputSize(), !options_.noProgress);
  auto result = sliceRecord(*reader_, *functions_, **slicer,
                            showsKinds() ? static_cast<EventSink &>(marker) : shown, damage_,
                            [&](const RecordBatch &batch) {
                              progress.update(reader_->bytesRead());
                              return observe ? observe(batch) : Error::success();
                            });
  if (showsKinds() && !functions_->hasCallKinds())
    note(
        "--show-kinds: direct calls and calls through references are not told apart, as the module "
        "was instrumented without call-kinds");
  if (functions_->hasIndistinctIds())
    damage_.add("record of more unknown ids than are told apart: the rest count as one function",
                "records of more unknown ids than are told apart: the rest count as one function",
                1, [&] { return paths_.front(); });
  if (functions_->hasMapping() && functions_->unknownIds() > 0)
    damage_.add("function id that the mapping does not have",
                "function ids that the mapping does not have", functions_->unknownIds(),
                [&] { return mapping_.empty() ? paths_.front() : mapping_; });
  if (!result)
    tellDamage();
  else if (limits->start)
    result->firstTime = limits->start;
  return result;
}

void RecordInput::tellDamage() const {
  for (const std::string &message : damage_.messages())
    warn(message);
  // A crash-safe recorder's process lives, or was killed.
  for (const std::string &path : paths_)
    if (sys::fs::exists(path + ".live"))
      note(path + ".live holds what is not in the record yet: if the process was killed, "
                  "warpo-record-dump --recover adds it");
}

Expected<ToolResult> RecordInput::finish() {
  tellSubtraction();
  if (damage_.empty())
    return ToolResult::done;
  if (options_.strict)
    return makeError(join(damage_.messages(), "; "));
  tellDamage();
  return ToolResult::damaged;
}
