//===- ProfileInput.cpp ---------------------------------------------------===//

#include "warpo/Tooling/ProfileInput.h"
#include "warpo/Profile/PhaseWeights.h"
#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Profile/ProfileMerger.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Slice/SampleTree.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace warpo;

RecordWatcher::~RecordWatcher() = default;

namespace {

/// Folds the calls of a record and its samples, each for themselves, and hands events to one more.
/// What the host did for the program is left out, as it is no function's, but for its `phases`, if
/// they are given.
class RecordFolder : public EventSink {
public:
  RecordFolder(RecordInput &input, CallTreeOptions limits, const HostPhases *phases,
               EventSink *watcher)
      : input_(input), calls_(input.functions(), limits), samples_(input.functions(), limits),
        watcher_(watcher) {
    if (!phases)
      return;
    callRoots_.emplace(*phases, input.reader().header(), input.functions(), calls_);
    sampleRoots_.emplace(*phases, input.reader().header(), input.functions(), samples_);
  }

  Error events(const EventBatch &batch) override {
    if (input_.reader().header().streams[batch.stream].isHost)
      return Error::success();
    EventSink &calls = callRoots_ ? static_cast<EventSink &>(*callRoots_) : calls_;
    if (Error error = calls.events(batch))
      return error;
    return watcher_ ? watcher_->events(batch) : Error::success();
  }
  Error samples(const SampleBatch &batch) override {
    if (sampleRoots_)
      sampleRoots_->add(batch);
    else
      samples_.add(batch.samples);
    return Error::success();
  }
  Error finish() override { return watcher_ ? watcher_->finish() : Error::success(); }

  /// What the profile is made of.
  Expected<const CallTree &> choose(ProfileSource::Part wanted, uint64_t samples) const;
  void tellLimits(const CallTreeOptions &limits) const;
  /// Of that; with phases.
  const PhaseCover &coverOf(const CallTree &chosen) const {
    return &chosen == &calls_.tree() ? callRoots_->cover() : sampleRoots_->cover();
  }

private:
  RecordInput &input_;
  CallTreeBuilder calls_;
  SampleTree samples_;
  std::optional<PhaseRoots> callRoots_;
  std::optional<SamplePhaseRoots> sampleRoots_;
  EventSink *watcher_;
};

} // namespace

// Takes `record:mapping` apart, at the last colon that leaves the name of a file.
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

Expected<const CallTree &> RecordFolder::choose(ProfileSource::Part wanted,
                                                uint64_t samples) const {
  using Part = ProfileSource::Part;
  bool hasCalls = calls_.tree().size() > 1;
  if (wanted == Part::samples && samples == 0)
    return makeError("--samples: " + input_.title() + " has none");
  if (wanted == Part::calls && !hasCalls && samples > 0)
    return makeError("--calls: " + input_.title() + " has none, but " + countOf(samples, "sample"));
  if (wanted == Part::samples || (!hasCalls && samples > 0))
    return samples_.tree();
  if (samples > 0 && wanted == Part::any)
    note(countOf(samples, "sample") + " left out, as there are calls; --samples shows them");
  return calls_.tree();
}

void RecordFolder::tellLimits(const CallTreeOptions &limits) const {
  auto tell = [&](uint64_t inOther, uint64_t tooDeep, StringRef what) {
    if (inOther > 0)
      warn(countOf(inOther, what) + " of more than " +
           countOf(limits.maxContexts, "calling context") +
           " counted as (other); --max-contexts=N keeps more, in more memory");
    if (tooDeep > 0)
      warn(countOf(tooDeep, what) + " deeper than " + countOf(limits.maxDepth, "level") +
           " counted as (deeper); --max-depth=N keeps more");
  };
  tell(calls_.callsInOther(), calls_.callsTooDeep(), "call");
  tell(samples_.samplesInOther(), samples_.samplesTooDeep(), "sample");
}

// Phases stand at the end of a record, so it is read before it is read: without its events, where
// it has an index.
Expected<HostPhases> ProfileReader::readPhases(const InputStream &stream) const {
  auto refuse = [&](const Twine &reason) {
    return fileError(stream.name(), "--phases=roots: " + reason);
  };
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &options_.from, &options_.to, &options_.slices, &options_.subtractOverhead})
    if (option->getNumOccurrences() > 0)
      return refuse("phases are of the whole record, without --" + option->ArgStr);
  if (!stream.canSeek())
    return refuse("phases stand at the end of a record, which takes a file to look for");
  auto again = InputStream::open(stream.name());
  if (!again)
    return again.takeError();
  auto reader = openRecord(std::move(*again), options_.inputFormat);
  if (!reader)
    return reader.takeError();
  if (auto kept = (*reader)->keepOnly(UINT64_MAX, UINT64_MAX); !kept)
    return kept.takeError();
  RecordBatch batch;
  while (true) {
    auto more = (*reader)->next(batch);
    if (!more)
      return more.takeError();
    if (!*more)
      break;
  }
  auto phases = HostPhases::create((*reader)->header());
  return phases ? std::move(phases) : refuse(toString(phases.takeError()));
}

Expected<Profile> ProfileReader::readRecord(std::unique_ptr<InputStream> stream,
                                            StringRef mapping) {
  using Roots = ProfileSource::Roots;
  std::optional<HostPhases> phases;
  if (source_.roots != Roots::calls) {
    auto read = readPhases(*stream);
    if (!read)
      return read.takeError();
    phases = std::move(*read);
  }
  auto input = RecordInput::open(std::move(stream), mapping, options_);
  if (!input)
    return input.takeError();
  RecordFolder folder(**input, source_.limits, phases ? &*phases : nullptr,
                      watcher_ ? &watcher_->watch(**input) : nullptr);
  auto sliced = (*input)->slice(folder);
  if (!sliced)
    return sliced.takeError();
  if (options_.slices.getNumOccurrences() > 0 && sliced->entries == 0 && sliced->samples > 0)
    return makeError((*input)->title() + ": --slices needs calls, and the record has samples only");
  auto tree = folder.choose(source_.part, sliced->samples);
  if (!tree)
    return tree.takeError();
  if (watcher_)
    watcher_->watched(**input, *sliced);
  folder.tellLimits(source_.limits);
  auto verdict = (*input)->finish();
  if (!verdict)
    return verdict.takeError();
  result_ = std::max(result_, *verdict);
  const RecordHeader &header = (*input)->reader().header();
  ProfileClocks clocks{.scale = (*input)->scale(), .timeIsFuel = header.timeIsFuel};
  if (!header.fuelClock.empty())
    clocks.fuel = header.fuelClock;
  Profile profile = makeProfile(*tree, (*input)->functions(), clocks, (*input)->title());
  for (const ProbeSubtraction *subtraction : (*input)->subtractions())
    addProbeWeight(profile, subtraction->cost(), subtraction->subtractedShare(), (*input)->scale());
  if (!phases)
    return profile;
  std::vector<std::string> leftOut =
      addPhaseWeights(profile, *phases, folder.coverOf(*tree), clocks,
                      header.timeIsFuel || source_.roots == Roots::phasesWithFuel);
  if (!leftOut.empty())
    note("phases without fuel are not shown: " + join(leftOut, ", "));
  return profile;
}

static Expected<std::vector<uint8_t>> readAll(InputStream &stream) {
  std::vector<uint8_t> bytes;
  while (true) {
    auto window = stream.window(1 << 16);
    if (!window)
      return window.takeError();
    if (window->empty())
      return bytes;
    bytes.insert(bytes.end(), window->begin(), window->end());
    stream.consume(window->size());
  }
}

Expected<Profile> ProfileReader::readSaved(InputStream &stream, const ProfileFormat &format,
                                           StringRef mapping) {
  if (!mapping.empty())
    return fileError(stream.name(), "a saved profile has its names, and takes no mapping");
  if (source_.roots != ProfileSource::Roots::calls)
    return fileError(
        stream.name(),
        "--phases=roots needs a record, and a saved profile has the roots that it has");
  for (const cl::Option *option : {static_cast<const cl::Option *>(&options_.from),
                                   static_cast<const cl::Option *>(&options_.to),
                                   static_cast<const cl::Option *>(&options_.slices),
                                   static_cast<const cl::Option *>(&options_.slicer)})
    if (option->getNumOccurrences() > 0)
      return fileError(stream.name(),
                       "--" + option->ArgStr + " needs events, and a saved profile has sums only");
  if (options_.showKinds && *options_.showKinds)
    return fileError(stream.name(), "--show-kinds needs events, and a saved profile has sums only");
  auto bytes = readAll(stream);
  if (!bytes)
    return bytes.takeError();
  auto profile = format.read(*bytes, stream.name());
  if (!profile)
    return profile;
  profile->title = inputTitle(stream.name());
  auto scale = options_.givenScale();
  if (!scale)
    return scale.takeError();
  return *scale ? inNanoseconds(std::move(*profile), **scale) : std::move(profile);
}

Expected<Profile> ProfileReader::read(StringRef input) {
  auto [path, mapping] = splitInput(input);
  auto stream = InputStream::open(path);
  if (!stream)
    return stream.takeError();
  auto saved = findProfileFormat(**stream);
  if (!saved)
    return saved.takeError();
  auto &[format, name] = *saved;
  if (format && (options_.inputFormat.empty() || options_.inputFormat == name))
    return readSaved(**stream, *format, mapping);
  return readRecord(std::move(*stream), mapping);
}

Expected<Profile> ProfileReader::readMerged(ArrayRef<std::string> inputs) {
  auto first = read(inputs.front());
  if (!first || inputs.size() == 1)
    return first;
  std::string title =
      first->title + " and " + countOf(inputs.size() - 1, "other input", "other inputs");
  ProfileMerger merger;
  cantFail(merger.add(*first));
  bool haveTicks = first->unit() == "ticks";
  first = Profile();
  for (const std::string &input : inputs.drop_front()) {
    auto profile = read(input);
    if (!profile)
      return profile;
    haveTicks |= profile->unit() == "ticks";
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
  return merged;
}

std::optional<Expected<ToolResult>> ProfileReader::list(const ReadingOptions &options) {
  if (!options.listInputFormats)
    return options.list();
  if (Error error = warpo::Registry<RecordFormat>::print(outs()))
    return error;
  return printRegistry<ProfileFormat>();
}
