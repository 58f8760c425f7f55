//===- ProfileInput.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ProfileInput.h"
#include "InlineCounts.h"
#include "NamedProfile.h"
#include "PhaseInput.h"
#include "RecordFolder.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Profile/CodeDetail.h"
#include "warpo/Profile/PhaseWeights.h"
#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Profile/ProfileMerger.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Profile/Views.h"
#include "warpo/Record/RecordedCode.h"
#include "warpo/Report/Reports.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/Gunzip.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace warpo;

RecordWatcher::~RecordWatcher() = default;

// Splits `record:mapping` at the last colon that is preceded by the name of an existing file.
static std::pair<StringRef, StringRef> splitInput(StringRef input) {
  if (input == "-" || sys::fs::exists(input))
    return {input, ""};
  for (size_t colon = input.rfind(':'); colon != StringRef::npos && colon > 0;
       colon = input.take_front(colon).rfind(':')) {
    StringRef record = input.take_front(colon);
    if (record == "-" || sys::fs::exists(record))
      return {record, input.drop_front(colon + 1)};
  }
  return {input, ""};
}

static Error nameProfileFormats(Error error) {
  auto known = warpo::Registry<ProfileFormat>::entries();
  if (!known)
    return joinErrors(std::move(error), known.takeError());
  for (const RegistryEntryInfo &entry : *known)
    error = alsoKnown(std::move(error), entry.name);
  return error;
}

/// Notes if the hottest function depends on the uncertain cost of trace points.
static void reportDoubt(const Profile &profile, const ProbeRange &range) {
  if (range.likely == 0)
    return;
  std::vector<HottestFunction> found;
  for (double cost : {range.likely, range.least, range.most}) {
    HottestFunction hottest = hottestIf(profile, cost / range.likely);
    if (hottest.function != noFunction && none_of(found, [&](const HottestFunction &known) {
          return known.function == hottest.function;
        }))
      found.push_back(hottest);
  }
  if (found.size() < 2)
    return;
  std::vector<std::string> texts;
  for (const HottestFunction &hottest : found)
    texts.push_back(profile.functions[hottest.function].name +
                    formatv(" ({0:f1} %)", 100 * hottest.share).str());
  note(profile.title +
       ": the cost of a trace point is known within a range, by which the hottest "
       "function is " +
       join(texts, " or ") + "; --time-from tells which");
}

void ProfileReader::keepHashes(const RecordHeader &header) {
  for (const RecordedModule &module : header.modules) {
    auto [known, isNew] = hashes_.try_emplace(module.id, module.hash);
    if (!isNew && known->second != module.hash)
      known->second.clear();
  }
}

Expected<Profile> ProfileReader::readRecord(std::unique_ptr<InputStream> stream,
                                            StringRef mapping) {
  using Roots = ProfileSource::Roots;
  auto input = RecordInput::open(std::move(stream), mapping, options_);
  if (!input)
    return nameProfileFormats(input.takeError());
  if (!source_.timeFrom.empty())
    (*input)->ignoreProbes();
  if (source_.showsLines)
    (*input)->functions().showLines();
  if (source_.foldsInlined)
    (*input)->functions().foldInlined();
  std::optional<HostPhases> phases;
  if (source_.roots != Roots::calls) {
    auto read = readHostPhases(**input);
    if (!read)
      return read.takeError();
    phases = std::move(*read);
  }
  if (const RecordHeader &header = (*input)->reader().header();
      source_.every > 0 && (header.wallClock == 0 || !header.hasTime() || !(*input)->scale()))
    return unmetNeed("--every", Need::utc, (*input)->title() + " does not say when it was made");
  RecordedCode code;
  (*input)->reader().observe(code);
  RecordFolder folder(**input, options_, source_, phases ? &*phases : nullptr,
                      watcher_ ? &watcher_->watch(**input) : nullptr, calls_ != nullptr);
  auto sliced = (*input)->slice(folder);
  if (!sliced)
    return sliced.takeError();
  if (sliced->entries == 0 && sliced->samples > 0)
    if (Error error = checkNeeds(Need::calls, (*input)->title() + " has samples only"))
      return error;
  if (Error error = folder.choose(sliced->samples))
    return error;
  if (watcher_)
    watcher_->watched(**input, *sliced);
  if (calls_)
    calls_->add(folder.totals(), (*input)->functions(), (*input)->scale());
  folder.reportLeftOut();
  windows_.push_back(folder.window());
  keepHashes((*input)->reader().header());
  auto verdict = (*input)->finish();
  if (!verdict)
    return verdict.takeError();
  result_ = std::max(result_, *verdict);
  const std::vector<Measure> measures = (*input)->measures();
  Profile profile = folder.profile(measures);
  if (folder.showsHeap()) {
    if (phases)
      note("--phases=roots: weights of heaps have no phases");
    return profile;
  }
  std::optional<TimeScale> scale = (*input)->scale();
  for (const ProbeSubtraction *subtraction : (*input)->subtractions())
    addProbes(profile, folder.callees(profile),
              {subtraction->range().cost, subtraction->subtractedShare(), scale});
  if ((*input)->subtractions().size() == 1)
    reportDoubt(profile, (*input)->subtractions().front()->range());
  if (ProbeCost probe = (*input)->notableProbeCost(); probe.begin > 0 && !profile.isSampled())
    addProbes(profile, folder.callees(profile), {probe, 0, scale});
  if (!phases)
    return withCode(std::move(profile), code);
  const RecordHeader &header = (*input)->reader().header();
  std::optional<MeasureIndex> only;
  if (!header.hasTime())
    only = 0;
  else if (std::optional<ColumnIndex> column = header.findColumn(source_.weight))
    only = *column + 1;
  std::vector<std::string> leftOut =
      addPhaseWeights(profile, *phases, folder.cover(), measures, only);
  if (!leftOut.empty())
    note("phases without " + measures[*only].name + " are not shown: " + join(leftOut, ", "));
  return withCode(std::move(profile), code);
}

Expected<Profile> ProfileReader::withCode(Profile profile, RecordedCode &code) {
  // Samples have lines themselves. With --time-from, functions have to stay as traced, to match
  // those of the samples.
  bool isWanted = source_.showsLines || source_.splitsInlined || collectsCallLines_;
  if (!isWanted || profile.isSampled() || !source_.timeFrom.empty())
    return profile;
  if (!source_.inlineCounts.empty() && !inlineCounts_) {
    auto read = InlineCounts::read(source_.inlineCounts, *options_.placesFrom);
    if (!read)
      return read.takeError();
    inlineCounts_ = std::make_shared<InlineCounts>(std::move(*read));
  }
  CodeDetail detail;
  detail.placesOf = [&](uint64_t module) -> const ModulePlaces * {
    auto known = code.of(module);
    return known ? &known->places : nullptr;
  };
  if (inlineCounts_)
    detail.costsOf = [&](uint64_t module, uint32_t index) {
      return inlineCounts_->costsOf(code.of(module)->hash, index);
    };
  std::optional<SourcePaths> paths = options_.sourcePaths();
  detail.path = [&](StringRef path) { return paths ? (*paths)(path) : plainPath(path).str(); };
  detail.showsLines = source_.showsLines;
  detail.splitsInlined = source_.splitsInlined;
  detail.maxContexts = source_.limits.maxContexts;
  DetailedProfile detailed = addCodeDetail(std::move(profile), detail);
  if (detailed.leftOut > 0)
    warn(countOf(detailed.leftOut, "calling context") +
         " without lines and inlined functions, of more than " +
         countOf(detail.maxContexts, "further context") +
         "; --max-contexts=N makes more, in more memory");
  for (const auto &[functions, lines] : detailed.callLines) {
    CallLines &known = callLines_[functions];
    known.append(lines);
    known.sortLines();
  }
  return std::move(detailed.profile);
}

// Profiles are read into memory as a whole, and a pipe may be endless.
static constexpr size_t maxSavedProfile = size_t(1) << 31;

Expected<Profile> warpo::readSavedProfile(InputStream &stream, ProfileFormat &format) {
  std::vector<uint8_t> bytes;
  bytes.reserve(std::min<uint64_t>(stream.size().value_or(0), maxSavedProfile));
  while (true) {
    auto window = stream.window(1 << 16);
    if (!window)
      return window.takeError();
    if (window->empty())
      break;
    if (window->size() > maxSavedProfile - bytes.size())
      return fileError(stream.name(),
                       "more than " + Twine(maxSavedProfile) + " bytes of a profile");
    bytes.insert(bytes.end(), window->begin(), window->end());
    stream.consume(window->size());
  }
  auto profile = format.read(bytes, stream.name());
  for (const std::string &text : format.notes())
    note(stream.name() + ": " + text);
  return profile;
}

/// The format given by the user, otherwise the one that recognises the input; null for records.
static Expected<std::unique_ptr<ProfileFormat>> chooseProfileFormat(InputStream &stream,
                                                                    StringRef named) {
  if (named.empty()) {
    auto found = findProfileFormat(stream);
    if (!found)
      return found.takeError();
    return std::move(found->first);
  }
  auto known = warpo::Registry<ProfileFormat>::entries();
  if (!known)
    return known.takeError();
  if (none_of(*known, [&](const RegistryEntryInfo &entry) { return entry.name == named; }))
    return nullptr;
  return warpo::Registry<ProfileFormat>::create(named);
}

/// For outputs that cannot show executed lines: merges functions that differ only by these.
static void leaveLinesOut(Profile &profile) {
  profile = joinFunctions(profile, withoutLines(profile.functions));
  for (ProfileFunction &function : profile.functions) {
    function.executedFile = {};
    function.executedLine = 0;
  }
}

static void renameFiles(Profile &profile, const SourcePaths &paths) {
  StringMap<SharedText> renamed;
  for (ProfileFunction &function : profile.functions) {
    for (SharedText *file : {&function.file, &function.executedFile}) {
      if (file->empty())
        continue;
      auto [entry, isNew] = renamed.try_emplace(*file);
      if (isNew)
        entry->second = SharedText(paths(*file));
      *file = entry->second;
    }
  }
}

Expected<Profile> ProfileReader::readSaved(InputStream &stream, ProfileFormat &format,
                                           StringRef mapping) {
  if (!mapping.empty())
    return fileError(stream.name(), "a saved profile has its names, and takes no mapping");
  if (options_.placesFrom && !options_.placesFrom->empty())
    noteOnce("places of a saved profile", stream.name() + ": a saved profile keeps its own lines");
  windows_.push_back(std::nullopt);
  if (Error error =
          checkNeeds(Need::singleCalls, "the saved profile " + stream.name() + " has sums only"))
    return error;
  auto profile = readSavedProfile(stream, format);
  if (!profile)
    return profile;
  profile->title = inputTitle(stream.name());
  if (options_.symbols && !options_.symbols->empty())
    if (Error error = nameFunctions(*profile, ArrayRef<std::string>(*options_.symbols)))
      return error;
  if (!source_.showsLines)
    leaveLinesOut(*profile);
  if (std::optional<SourcePaths> paths = options_.sourcePaths())
    renameFiles(*profile, *paths);
  auto scale = options_.givenScale();
  if (!scale)
    return scale.takeError();
  return *scale ? inNanoseconds(std::move(*profile), **scale) : std::move(profile);
}

std::optional<TimeWindow> ProfileReader::window() const {
  std::optional<TimeWindow> all;
  for (const std::optional<TimeWindow> &window : windows_) {
    if (!window)
      return std::nullopt;
    all = all ? TimeWindow{std::min(all->begin, window->begin), std::max(all->end, window->end)}
              : *window;
  }
  return all;
}

Expected<Profile> ProfileReader::read(StringRef input) {
  auto [path, mapping] = splitInput(input);
  auto stream = openGunzipped(path);
  if (!stream)
    return stream.takeError();
  auto format = chooseProfileFormat(**stream, options_.inputFormat);
  if (!format)
    return format.takeError();
  if (*format)
    return readSaved(**stream, **format, mapping);
  return readRecord(std::move(*stream), mapping);
}

Expected<Profile> ProfileReader::takeTimeFrom(StringRef input, const Profile &profile) {
  ProfileSource source;
  source.limits = source_.limits;
  // A trace has no calls of inlined functions.
  source.foldsInlined = true;
  ProfileReader reader(options_, source);
  auto samples = reader.read(input);
  if (!samples)
    return samples.takeError();
  result_ = std::max(result_, reader.result());
  auto timed = withSampledTime({profile, hashes_}, {*samples, reader.hashes_});
  if (!timed)
    return makeError("--time-from: " + toString(timed.takeError()));
  uint64_t all = samples->total(*samples->findWeight(Measure::timeClock));
  if (timed->timeElsewhere > 0)
    note(formatShare(timed->timeElsewhere, all) + " of the time of " + samples->title +
         " is in functions that " + profile.title + " does not have: it counts for their callers");
  if (!timed->otherModules.empty())
    warn("--time-from: " + timed->otherModules + ": are these two builds of one program?");
  return std::move(timed->profile);
}

Expected<Profile> ProfileReader::readMerged(ArrayRef<std::string> inputs) {
  auto profile = readInputs(inputs);
  if (!profile || source_.timeFrom.empty())
    return profile;
  if (profile->isSampled())
    return unmetNeed("--time-from", Need::calls, profile->title + " has samples only");
  return takeTimeFrom(source_.timeFrom, *profile);
}

// Modules with equal names are one in the merged profile.
void ProfileReader::joinHashes(const Profile &profile,
                               std::map<std::string, std::string> &hashes) const {
  for (const ProfileModule &module : profile.modules) {
    auto own = hashes_.find(module.id);
    std::string hash = own == hashes_.end() ? "" : own->second;
    auto [known, isNew] = hashes.try_emplace(module.name, hash);
    if (!isNew && known->second != hash)
      known->second.clear();
  }
}

Expected<Profile> ProfileReader::readInputs(ArrayRef<std::string> inputs) {
  auto first = read(inputs.front());
  if (!first || inputs.size() == 1)
    return first;
  std::string title =
      first->title + " and " + countOf(inputs.size() - 1, "other input", "other inputs");
  ProfileMerger merger;
  cantFail(merger.add(*first));
  bool haveTicks = first->unit() == "ticks";
  std::map<std::string, std::string> hashes;
  joinHashes(*first, hashes);
  first = Profile();
  for (const std::string &input : inputs.drop_front()) {
    auto profile = read(input);
    if (!profile)
      return profile;
    haveTicks |= profile->unit() == "ticks";
    joinHashes(*profile, hashes);
    if (Error error = merger.add(*profile))
      return fileError(profile->title,
                       toString(std::move(error)) +
                           (haveTicks ? " (--rate=ns says how long a tick is)" : ""));
  }
  if (haveTicks)
    warn("times of several clocks are added as they are, since nothing says how long a tick is; "
         "--rate=ns does");
  Profile merged = merger.take();
  merged.title = title;
  for (const ProfileModule &module : merged.modules)
    hashes_[module.id] = hashes[module.name];
  return merged;
}

std::optional<Expected<ToolResult>> ProfileReader::list(const ReadingOptions &options) {
  if (!options.listInputFormats)
    return options.list();
  if (Error error = warpo::Registry<RecordFormat>::print(outs()))
    return error;
  return printRegistry<ProfileFormat>();
}
