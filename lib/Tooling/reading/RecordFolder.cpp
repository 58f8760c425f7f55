//===- RecordFolder.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordFolder.h"
#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

// A tree of samples needs no limit, because all of the record's stacks are in memory anyway.
static CallTreeOptions sampleLimits(const ProfileSource &source) {
  return source.isFlat ? CallTreeOptions{.maxContexts = UINT32_MAX, .maxDepth = UINT32_MAX}
                       : source.limits;
}

RecordFolder::RecordFolder(RecordInput &input, const ReadingOptions &options,
                           const ProfileSource &source, const HostPhases *phases,
                           EventSink *watcher, bool collectsCalls)
    : input_(input), source_(source), samples_(input.functions(), input.reader().header(),
                                               sampleLimits(source), source.countsSuspensions),
      watcher_(watcher) {
  if (!source.isFlat)
    tree_.emplace(input.functions(), source.limits);
  if (source.isFlat || collectsCalls)
    totals_.emplace(input.functions(), collectsCalls ? FunctionTotals::Calls::distributed
                                                     : FunctionTotals::Calls::summed);
  const RecordHeader &header = input.reader().header();
  // The last one, as further clocks of the record may be declared later.
  if (header.hasTime() && header.columns().size() < maxColumns)
    suspended_ = maxColumns - 1;
  if (!source.countsSuspensions && tree_)
    treeTime_.emplace(input.functions(), suspended_, *tree_);
  if (!source.countsSuspensions && totals_)
    totalsTime_.emplace(input.functions(), suspended_, *totals_);
  if (source.every > 0)
    windowRoots_.emplace(windows(source.every), input.functions(), *treeSink());
  if (source.perThread) {
    threads_.emplace(header, input.functions());
    threadRoots_.emplace(*threads_, profileSink());
  }
  if (phases) {
    callRoots_.emplace(*phases, header, input.functions(), profileSink());
    sampleRoots_.emplace(*phases, header, input.functions(), samples_);
  }
  if (source.heap != ProfileSource::Heap::never)
    heap_.emplace(input, options, source.heapAt);
  if (source.joinsTasks && tree_)
    taskRoots_.emplace(header, input.functions(), source.limits, profileSink());
}

UtcWindows RecordFolder::windows(uint64_t length) const {
  return {input_.reader().header(), *input_.scale(), length};
}

EventSink &RecordFolder::profileSink() {
  if (taskRoots_)
    return *taskRoots_;
  if (callRoots_)
    return *callRoots_;
  if (threadRoots_)
    return *threadRoots_;
  if (windowRoots_)
    return *windowRoots_;
  return isFlat() ? *totalsSink() : *treeSink();
}

EventSink *RecordFolder::treeSink() {
  if (treeTime_)
    return &*treeTime_;
  return tree_ ? &*tree_ : nullptr;
}

EventSink *RecordFolder::totalsSink() {
  if (totalsTime_)
    return &*totalsTime_;
  return totals_ ? &*totals_ : nullptr;
}

Error RecordFolder::events(const EventBatch &batch) {
  if (!batch.events.empty()) {
    hasCalls_ = true;
    calledIn_.add(batch.events.front().time, batch.events.back().time);
    if (heap_)
      heap_->noteTime(batch.events.front().time);
  }
  Error error = profileSink().events(batch);
  if (!error && tree_ && totals_)
    error = totalsSink()->events(batch);
  if (!error && watcher_)
    error = watcher_->events(batch);
  return error;
}

Error RecordFolder::beside(const SideBatch &batch) {
  Error error = Error::success();
  auto addEntries = [&](const char *, const char *, auto entries) {
    // Entries without a stack have no place in a profile. A new kind with one does not compile
    // until add() takes it.
    if constexpr (requires { entries.front().stack; })
      if (!entries.empty() && !error)
        error = add(batch.stream, entries);
  };
  forEachSideKind(addEntries, batch.entries);
  return error;
}

Error RecordFolder::add(StreamIndex stream, ArrayRef<HeapEvent> events) {
  return heap_ ? heap_->add(stream, events) : Error::success();
}

Error RecordFolder::add(StreamIndex stream, ArrayRef<StackSample> samples) {
  if (heap_)
    heap_->noteTime(samples.front().begin());
  if (isSampled_.size() <= stream)
    isSampled_.resize(stream + 1);
  isSampled_[stream] = true;
  sampledIn_.add(samples.front().begin(), samples.back().time);
  FunctionIndex thread = threads_ ? threads_->of(stream) : noFunction;
  if (windowRoots_)
    return windowRoots_->add(samples, samples_, thread);
  if (sampleRoots_)
    sampleRoots_->add(stream, samples, thread);
  else
    samples_.add(samples, thread);
  return Error::success();
}

Error RecordFolder::finish() {
  if (taskRoots_)
    joined_ = taskRoots_->join(tree_->tree());
  if (totals_)
    if (Error error = totals_->finish())
      return error;
  if (heap_)
    if (Error error = heap_->finish())
      return error;
  return watcher_ ? watcher_->finish() : Error::success();
}

Error RecordFolder::choose(uint64_t samples) {
  RecordPart wanted = source_.part;
  uint64_t heapEvents = heap_ ? heap_->events() : 0;
  showsHeap_ = heapEvents > 0 &&
               (source_.heap == ProfileSource::Heap::always || (!hasCalls_ && samples == 0));
  if (showsHeap_) {
    if (source_.every > 0)
      return unmetNeed("--every", Need::calls, input_.title() + " shows its heaps");
    if (source_.perThread)
      return unmetNeed("--per-thread", Need::calls, input_.title() + " shows its heaps");
    if (heap_->beganLate())
      note("--from leaves out earlier allocations: what is in use is unknown");
    return Error::success();
  }
  if (heapEvents > 0 && wanted == RecordPart::any)
    note(countOf(heapEvents, "heap event") + " left out, since there are " +
         (hasCalls_ ? "calls" : "samples") + "; --weight=inuse_space shows them");
  if (wanted == RecordPart::samples && samples == 0)
    return unmetNeed("--samples", Need::samples, input_.title() + " has none");
  if (wanted == RecordPart::calls && !hasCalls_ && samples > 0)
    return unmetNeed("--calls", Need::calls, input_.title() + " has samples only");
  showsSamples_ = wanted == RecordPart::samples || (!hasCalls_ && samples > 0);
  if (!showsSamples_ && samples > 0 && wanted == RecordPart::any)
    note(countOf(samples, "sample") + " left out, since there are calls; --samples shows them");
  return Error::success();
}

static void reportLimited(const CallTreeOptions &limits, uint64_t inOther, uint64_t tooDeep,
                          StringRef what) {
  if (inOther > 0)
    warn(countOf(inOther, what) + " of more than " +
         countOf(limits.maxContexts, "calling context") +
         " counted as (other); --max-contexts=N keeps more, in more memory");
  if (tooDeep > 0)
    warn(countOf(tooDeep, what) + " deeper than " + countOf(limits.maxDepth, "level") +
         " counted as (deeper); --max-depth=N keeps more");
}

void RecordFolder::reportLeftOut() const {
  const CallTreeOptions &limits = source_.limits;
  if (tree_)
    reportLimited(limits, tree_->callsInOther() + (taskRoots_ ? taskRoots_->callsInOther() : 0),
                  tree_->callsTooDeep() + (taskRoots_ ? taskRoots_->callsTooDeep() : 0), "call");
  reportLimited(limits, samples_.samplesInOther(), samples_.samplesTooDeep(), "sample");
  bool hidesSuspensions = !source_.countsSuspensions && input_.functions().hasSuspendedStacks();
  if (hidesSuspensions && !suspended_ && input_.reader().header().hasTime())
    note("the record counts " + Twine(maxColumns) +
         " measures beside time, so the time while stacks were suspended has no column; --wall "
         "shows it");
}

static std::optional<SamplePeriod> periodOf(const StreamInfo &stream, const RecordHeader &header) {
  const std::string &name = stream.sampledBy;
  if (name.empty())
    return std::nullopt;
  const Measure *measure = header.findMeasure(name);
  std::string unit = name == Measure::timeClock ? "ns" : measure ? measure->unit : name;
  return SamplePeriod{name, std::move(unit), stream.sampleInterval};
}

std::optional<SamplePeriod> RecordFolder::samplePeriod() const {
  const RecordHeader &header = input_.reader().header();
  std::optional<SamplePeriod> period;
  for (const auto &[stream, isSampled] : enumerate(isSampled_)) {
    if (!isSampled)
      continue;
    std::optional<SamplePeriod> ofStream = periodOf(header.streams[stream], header);
    if (!ofStream || (period && *period != *ofStream))
      return std::nullopt;
    period = std::move(ofStream);
  }
  return period;
}

static bool isThread(const Profile &profile, NodeIndex node) {
  return profile.function(node).attribute == ThreadFrames::attribute;
}

/// Threads are not calls.
static void dropThreadCalls(Profile &profile) {
  if (std::optional<WeightIndex> calls = profile.findWeight("calls"))
    for (NodeIndex node = 1; node < profile.tree.size(); ++node)
      if (isThread(profile, node))
        profile.weights[*calls].self[node] = 0;
}

Profile RecordFolder::heapProfile() const {
  auto made = makeHeapProfile(heap_->analysis(), input_.functions(), sampleLimits(source_),
                              heap_->inUse(), input_.title());
  reportLimited(source_.limits, made.pathsInOther, made.pathsTooDeep, "path");
  if (std::optional<uint64_t> interval = heap_->interval())
    made.profile.samplePeriod = SamplePeriod{"space", "bytes", *interval};
  return std::move(made.profile);
}

Profile RecordFolder::profile(std::vector<Measure> measures) const {
  if (showsHeap_)
    return heapProfile();
  if (suspended_) {
    measures.resize(*suspended_ + 1);
    measures.push_back(suspendedMeasure(measures.front()));
  }
  const FunctionTable &functions = input_.functions();
  std::string title = input_.title();
  if (showsSamples_) {
    Profile profile = makeProfile(samples_.tree(), functions, measures, title);
    profile.samplePeriod = samplePeriod();
    return profile;
  }
  Profile profile =
      isFlat() ? makeFlatProfile(*totals_, functions, measures, title)
               : makeProfile(joined_ ? *joined_ : tree_->tree(), functions, measures, title);
  if (source_.perThread)
    dropThreadCalls(profile);
  return profile;
}

std::optional<TimeWindow> RecordFolder::window() const {
  const RecordHeader &header = input_.reader().header();
  std::optional<TimeScale> scale = input_.scale();
  const Span &span = showsSamples_ ? sampledIn_ : calledIn_;
  if (header.wallClock == 0 || !header.hasTime() || !scale || span.begin > span.end)
    return std::nullopt;
  UtcWindows clock = windows(1);
  return TimeWindow{clock.utc(span.begin), clock.utc(span.end)};
}

std::vector<uint64_t> RecordFolder::callees(const Profile &profile) const {
  std::vector<uint64_t> callees =
      isFlat() && !showsSamples_ ? countCallees(*totals_) : countCallees(profile);
  // The recording cost of outermost calls is in no function's time.
  for (NodeIndex node = 1; source_.perThread && node < profile.tree.size(); ++node)
    if (isThread(profile, node))
      callees[node] = 0;
  return callees;
}
