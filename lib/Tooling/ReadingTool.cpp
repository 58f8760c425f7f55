//===- ReadingTool.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ReadingTool.h"
#include "MappingCheck.h"
#include "NamedRecord.h"
#include "PlacedRecord.h"
#include "ReadingWindow.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Record/OneStack.h"
#include "warpo/Slice/HostCallMarker.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/Progress.h"
#include "warpo/Support/ShellWord.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

ReadingOptions::ReadingOptions(bool showsFunctions, bool takesSymbols) {
  if (takesSymbols)
    symbols.emplace("symbols",
                    inputOption("Names for a stripped module: Emscripten's symbols, the module "
                                "with names, or a source map (may be repeated)",
                                "[module=]file"),
                    namesInput(), excludes({"mapping"}));
  if (!showsFunctions)
    return;
  placesFrom.emplace("places-from",
                     inputOption("Source places that the record lacks, from this module as it was "
                                 "before or after it was instrumented (may be repeated)",
                                 "module"));
  showKinds.emplace("show-kinds",
                    viewOption("Show functions by how they were entered: f, f [reference], "
                               "f [host]"),
                    needs(Need::singleCalls));
  trimPath.emplace("trim-path",
                   viewOption("Leave out this beginning of the paths of source files", "folder"));
  sourceRoot.emplace("source-root",
                     viewOption("Where source files of relative paths lie", "folder"));
  noInlines.emplace("no-inlines",
                    viewOption("Count what was inlined as part of the function that it is in"));
}

std::optional<SourcePaths> ReadingOptions::sourcePaths() const {
  bool isGiven = trimPath && (!trimPath->empty() || !sourceRoot->empty());
  if (!isGiven)
    return std::nullopt;
  return SourcePaths({trimPath->begin(), trimPath->end()}, *sourceRoot);
}

Expected<SourceUrl> LinkOptions::url() const {
  return sourceUrl.getNumOccurrences() > 0 ? SourceUrl::create(sourceUrl) : SourceUrl();
}

std::optional<Expected<ToolResult>> ReadingOptions::list() const {
  if (listSlicers)
    return printRegistry<Slicer>();
  if (listInputFormats)
    return printRegistry<RecordFormat>();
  return std::nullopt;
}

Expected<std::optional<TimeScale>> ReadingOptions::givenScale() const {
  if (!given(rate))
    return std::nullopt;
  auto scale = TimeScale::parse(rate);
  if (!scale)
    return makeError("--rate: " + toString(scale.takeError()));
  return *scale;
}

CallOptions::Renaming CallOptions::renaming() const {
  return noDemangle ? nullptr : fullNames ? demangleName : briefName;
}

Error CallOptions::check() const {
  if (given(maxDepth) && maxDepth == 0)
    return makeError("--max-depth=0 leaves nothing to show");
  if (given(phases) && !phaseRoots())
    return makeError("--phases=" + phases +
                     ": unknown (known: "
                     "roots; warpo-report --phases makes a table of them)");
  return Error::success();
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
  if (options_.oneStack)
    functions_->tellModulesApart();
  return Error::success();
}

Expected<std::unique_ptr<RecordReader>>
RecordInput::openReader(std::unique_ptr<InputStream> stream) {
  paths_.push_back(stream->name().str());
  bool canReadTwice = stream->canSeek();
  auto reader = openRecord(std::move(stream), options_.inputFormat);
  if (!reader)
    return reader;
  if (options_.oneStack)
    *reader = std::make_unique<OneStack>(std::move(*reader), paths_.back());
  if (!options_.subtractOverhead)
    return reader;
  ProbeCost probe = (*reader)->probe();
  if (probe.begin == 0 && probe.end == 0)
    return checkNeeds(Need::recordingCost, paths_.back() + " does not have it");
  // A pipe is read once: there the cost is the one that the record states.
  ProbeRange range = ProbeRange::of(probe, LeafCalls());
  if (canReadTwice) {
    auto measured = measureProbes(paths_.back());
    if (!measured)
      return measured.takeError();
    range = *measured;
  }
  auto subtraction = std::make_unique<ProbeSubtraction>(std::move(*reader), range);
  subtractions_.push_back(subtraction.get());
  return subtraction;
}

Expected<std::unique_ptr<RecordReader>> RecordInput::openAgain(StringRef path) const {
  auto stream = InputStream::open(path);
  if (!stream)
    return stream.takeError();
  return openRecord(std::move(*stream), options_.inputFormat);
}

Expected<std::vector<RecordedModule>> RecordInput::findModules() const {
  std::vector<RecordedModule> modules;
  auto addModule = [&](const RecordedModule &module) {
    if (none_of(modules, [&](const RecordedModule &known) {
          return known.id == module.id && known.name == module.name && known.hash == module.hash;
        }))
      modules.push_back(module);
  };
  auto add = [&](const RecordHeader &header) {
    for_each(header.modules, addModule);
    if (!header.modules.empty())
      return;
    for (const StreamInfo &stream : header.streams)
      for (uint64_t id : stream.moduleIds()) {
        RecordedModule module;
        module.id = id;
        addModule(module);
      }
  };
  add(reader_->header());
  for (StringRef path : paths_) {
    // What comes by a pipe can be read once.
    if (path == inputName("-") || !sys::fs::is_regular_file(path))
      continue;
    auto reader = openAgain(path);
    if (!reader)
      return reader.takeError();
    if (auto ahead = (*reader)->declareAhead(); !ahead)
      return ahead.takeError();
    // Those of WARP know the modules of their entries alone. What is wrong with these is reported
    // when they are read for their own sake.
    RecordBatch batch;
    for (bool more = (*reader)->header().modules.empty(); more;) {
      auto got = (*reader)->next(batch);
      more = got && *got;
      if (!got)
        consumeError(got.takeError());
    }
    add((*reader)->header());
  }
  return modules;
}

Error RecordInput::addPlaces() {
  auto files = PlacesSet::read(ArrayRef<std::string>(*options_.placesFrom));
  if (!files)
    return files.takeError();
  auto modules = findModules();
  if (!modules)
    return modules.takeError();
  auto unused = files->join(*modules, title());
  if (!unused)
    return unused.takeError();
  for (const std::string &text : *unused)
    warn(text);
  reader_ = std::make_unique<PlacedRecord>(std::move(reader_), std::move(*files));
  return Error::success();
}

/// Two records that a tool compares may be of two modules, of which one at most has the names of a
/// file that does not say which module it is of.
static Error checkGuesses(const SymbolSet &symbols, StringRef record) {
  static StringMap<std::pair<uint64_t, std::string>> known;
  for (const auto &[file, module] : symbols.guesses()) {
    uint64_t id = identifierOf(module);
    const auto &[otherId, other] = known.try_emplace(file, id, record.str()).first->second;
    if (otherId != id)
      return fileError(file, "may be of module 0x" + utohexstr(otherId, /*LowerCase=*/true) +
                                 " of " + other + " and of module 0x" +
                                 utohexstr(id, /*LowerCase=*/true) + " of " + record +
                                 "; --symbols=<module>=<file> says of which");
  }
  return Error::success();
}

Error RecordInput::nameFunctions() {
  if (options_.placesFrom && !options_.placesFrom->empty())
    if (Error error = addPlaces())
      return error;
  bool isNamed = options_.symbols && !options_.symbols->empty();
  if (isNamed && !mapping_.empty())
    return fileError(mapping_, "a mapping and --symbols exclude each other");
  if (isNamed) {
    auto symbols = SymbolSet::read(ArrayRef<std::string>(*options_.symbols));
    if (!symbols)
      return symbols.takeError();
    auto modules = findModules();
    if (!modules)
      return modules.takeError();
    auto unused = symbols->join(*modules, title());
    if (!unused)
      return unused.takeError();
    // Of two records that are compared, each may have names of its own.
    for (const std::string &text : *unused)
      warn(text);
    if (Error error = checkGuesses(*symbols, title()))
      return error;
    reader_ = std::make_unique<NamedRecord>(std::move(reader_), std::move(*symbols));
  }
  reader_->observe(*functions_);
  return Error::success();
}

Expected<ProbeRange> RecordInput::measureProbes(StringRef path) const {
  auto reader = openAgain(path);
  if (!reader)
    return reader.takeError();
  return probeRange(**reader);
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
    std::optional<TimeScale> scale = *given ? *given : (*reader)->header().measures.front().scale;
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

void RecordInput::reportOverlap(const OverlapFinder &finder) const {
  std::optional<OverlapFinder::Overlap> overlap = finder.overlap();
  // Who records suspensions knows which stack calls are on.
  if (!overlap || functions_->hasSuspensions())
    return;
  auto nameOf = [&](StreamIndex stream) {
    return functions_->describe(reader_->header().streams[stream]);
  };
  // Once, however many records there are.
  noteOnce("overlap", title() + ": calls of " + nameOf(overlap->first) + " and of " +
                          nameOf(overlap->second) +
                          " overlap in time, and each has a stack of its own; if they ran on one "
                          "thread, --one-stack "
                          "gives them one");
}

/// Where recording took more of the time than this, what is left of it is mostly the error of what
/// was subtracted.
static constexpr double mostSubtracted = 0.8;

void RecordInput::reportSubtraction() const {
  if (subtractions_.empty())
    return;
  double all = 0;
  double left = 0;
  double most = 0;
  double least = 0;
  for (const ProbeSubtraction *subtraction : subtractions_) {
    const ProbeRange &range = subtraction->range();
    double entries = double(subtraction->entries());
    double recorded = double(subtraction->recorded());
    double program = recorded - double(subtraction->subtracted());
    all += recorded;
    left += program;
    most += std::min(recorded, program + entries * (range.likely - range.least));
    least += std::max(0.0, program - entries * (range.most - range.likely));
  }
  double percent = all == 0 ? 0 : 100 / all;
  std::string text = formatv("subtracted {0:f1} % of the time, the cost of recording",
                             all == 0 ? 0 : 100 - left * percent);
  if (all > 0 && left < (1 - mostSubtracted) * all)
    text += formatv(": the times are a guess, since by what a trace point may have taken {0:f1} to "
                    "{1:f1} % are the program's; --time-from takes times that none has touched",
                    least * percent, most * percent);
  note(text);
}

/// Where recording took more of the time than this, the times say so.
static constexpr double notableProbeShare = 0.25;

std::optional<ProbeShare::Share> RecordInput::notableProbes() const {
  if (!reader_->header().hasTime() || probeShare_.entries() < leastLeafCalls)
    return std::nullopt;
  ProbeShare::Share share = probeShare_.of(reader_->probe());
  return share.likely > notableProbeShare ? std::optional(share) : std::nullopt;
}

ProbeCost RecordInput::notableProbeCost() const {
  return notableProbes() ? probeShare_.range(reader_->probe()).cost : ProbeCost();
}

void RecordInput::reportProbes() const {
  std::optional<ProbeShare::Share> share;
  if (reportsProbes_)
    share = notableProbes();
  if (share)
    note(
        formatv(
            "{0}: recording took about {1:f0} % of the time ({2:f0} to {3:f0} %), mostly in "
            "small functions: sample the program as it is (warpo record; --time-from shows "
            "both), leave out small functions (warpo-instrument --budget=2 --from={4} "
            "--time-from=samples.warpo app.wasm -o traced.wasm), or estimate (--subtract-overhead)",
            title(), 100 * share->likely, 100 * share->least, 100 * share->most,
            paths_.front() == "<stdin>" ? "run.warpo" : shellWord(paths_.front()))
            .str());
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

void RecordInput::reportLateStart(uint64_t from, const SlicingResult &result) const {
  uint64_t lasted = result.lastTime.value_or(0) - result.firstTime.value_or(0);
  if (!result.lastTime || lasted >= from)
    return;
  const Measure clock = measures().front();
  warn("--from=" + options_.from + " lies behind the end of " + title() + ", which lasts " +
       formatWeight(clock.shown(lasted), clock.shownUnit()));
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
  if ((limits->from || limits->to) && !limits->bySlice() && !observe &&
      (*slicer)->needsOpenCallsOnly(reader_->header())) {
    auto start = reader_->keepOnly(limits->from.value_or(0), limits->to.value_or(UINT64_MAX));
    if (!start)
      return start.takeError();
    limits->start = *start;
  }
  EventWindow window(*limits, sink);
  EventSink &shown = limits->any() ? static_cast<EventSink &>(window) : sink;
  HostCallMarker marker(*functions_, shown);
  MappingCheck mappingCheck(*functions_, reader_->header());
  Progress progress(title(), reader_->inputSize(), !options_.noProgress);
  auto result = sliceRecord(
      *reader_, *functions_, **slicer, showsKinds() ? static_cast<EventSink &>(marker) : shown,
      damage_,
      [&](const RecordBatch &batch) {
        progress.update(reader_->bytesRead());
        if (!mapping_.empty())
          mappingCheck.add(batch);
        probeShare_.add(batch, reader_->header().stackOf(batch.stream), scale_);
        return observe ? observe(batch) : Error::success();
      },
      overlaps, limits->start);
  if (showsKinds() && !functions_->hasCallKinds())
    note("--show-kinds: direct calls and calls through references are not distinguished, as the "
         "module was instrumented without call-kinds");
  if (result && limits->from)
    reportLateStart(*limits->from, *result);
  if (overlaps)
    reportOverlap(*overlaps);
  if (window.cutCalls() > 0)
    note(countOf(window.cutCalls(), "call was", "calls were") +
         " still open after the last requested slice: they have no end, or, if the format "
         "needs one, that of the output");
  if (functions_->hasIndistinctIds())
    damage_.add(
        "record of more unknown ids than can be distinguished: the rest count as one function",
        "records of more unknown ids than can be distinguished: the rest count as one function", 1,
        [&] { return paths_.front(); });
  if (functions_->strayOffsets() > 0)
    damage_.add("place of a frame that is in another function's code",
                "places of frames that are in another function's code", functions_->strayOffsets(),
                [&] { return paths_.front(); });
  if (result && !mapping_.empty())
    if (Error error = mappingCheck.finish(mapping_, title()))
      return error;
  if (functions_->hasMapping() && functions_->unknownIds() > 0)
    damage_.add("function id that the mapping does not have",
                "function ids that the mapping does not have", functions_->unknownIds(),
                [&] { return mapping_.empty() ? paths_.front() : mapping_; });
  if (!result)
    reportDamage();
  return result;
}

// Who gives a mapping or a rate knows of both.
void RecordInput::reportMissing() const {
  bool showsFunctions = options_.showKinds.has_value();
  bool isNameless = functions_->unknownIds() > 0 && !functions_->hasMapping();
  if (showsFunctions && isNameless && reader_->header().hasTime() && !scale_)
    noteOnce("nameless",
             title() + " has no names of functions, and does not say how long a count of its clock "
                       "is: --mapping=<file> takes the names (warpo-instrument "
                       "--trace-point-mapping-file writes them), --rate=ns what warpo-run has "
                       "said; records in the format warpo have both");
}

void RecordInput::reportDamage() const {
  for (const std::string &message : damage_.messages())
    warn(message);
  // A crash-safe recorder's process lives, or was killed.
  for (const std::string &path : paths_)
    if (sys::fs::exists(path + ".live"))
      note(path + ".live holds what is not in the record yet: if the process was killed, "
                  "warpo-record-dump --recover adds it");
}

Expected<ToolResult> RecordInput::finish() {
  reportSubtraction();
  reportProbes();
  reportMissing();
  if (damage_.empty())
    return ToolResult::done;
  if (options_.strict)
    return makeError(join(damage_.messages(), "; "));
  reportDamage();
  return ToolResult::damaged;
}

Expected<ToolResult> RecordInput::finish(OutputFile &file) {
  auto verdict = finish();
  if (verdict)
    if (Error error = file.commit())
      return error;
  return verdict;
}
