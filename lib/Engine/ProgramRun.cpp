//===- ProgramRun.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/ProgramRun.h"
#include "Artifacts.h"
#include "CountedPart.h"
#include "EngineSamples.h"
#include "EntryFunction.h"
#include "GuestReading.h"
#include "HeapLog.h"
#include "PhaseLog.h"
#include "RecordSession.h"
#include "Sampler.h"
#include "UnrecordedCalls.h"
#include "warpo/Sampling/TracedNames.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace warpo;

CompiledCalls::~CompiledCalls() = default;

ProgramRun::ProgramRun(const RunRequest &request, StringRef engine, CompiledCalls *calls)
    : request_(request), engine_(engine), phases_(std::make_unique<PhaseLog>()),
      compiledCalls_(calls) {
  result_.engine = engine_;
  // Modules may report sections, but the engine's stacks have none.
  ignoresEvents_ = request.sampling.byEngine;
  if (!request.countsOf.empty())
    countedPart_ = std::make_unique<CountedPart>(request.countsOf);
}

ProgramRun::~ProgramRun() = default;

// Defaults for engines that do not need these.
Error ProgramRun::prepare() { return Error::success(); }
Error ProgramRun::execute(function_ref<Error()> work) { return work(); }
Error ProgramRun::link(ProgramUnit &) { return Error::success(); }
void ProgramRun::start(ProgramUnit &) {}
StoppedInstance *ProgramRun::stopped(ProgramUnit &) { return nullptr; }

Expected<RunResult> ProgramRun::run() {
  // The sampler's timer and the switch store into instances, and these may refer to objects of the
  // engine.
  auto drop = make_scope_exit([this] {
    if (session_)
      session_->endSwitch();
    sampler_.reset();
    engineSamples_.reset();
    heapLog_.reset();
    reading_.reset();
    units_.clear();
  });
  if (!request_.hostImports.empty())
    return makeError("engine " + engine_ + " has no --host; use --engine=node");
  if (request_.landlock == RunRequest::Landlock::required)
    return makeError("engine " + engine_ +
                     " has no --landlock: its programs run in this process, which opens no path "
                     "of theirs that leads out of the folders of --dir");
  auto reading = GuestReading::create(request_.guestStack);
  if (!reading)
    return reading.takeError();
  reading_ = std::move(*reading);
  if (Error error = decodeUnits())
    return error;
  if (Error error = prepare())
    return error;
  if (Error error = execute([this] { return runUnits(); }))
    return error;
  result_.fuel = totalFuel();
  if (session_) {
    session_->addPhases(*phases_);
    sampler_.reset();
    uint64_t lost = 0;
    if (engineSamples_) {
      lost = engineSamples_->lost();
      llvm::append_range(result_.problems, engineSamples_->problems());
    }
    engineSamples_.reset();
    if (heapLog_)
      llvm::append_range(result_.problems, heapLog_->problems());
    heapLog_.reset();
    session_->finish(result_);
    result_.lostToBuffer += lost;
  }
  result_.runNanoseconds = phases_->runNanoseconds();
  auto fetch = [this] {
    fetchArtifacts();
    return Error::success();
  };
  if (request_.record.wanted())
    if (Error error = execute(fetch))
      return error;
  llvm::append_range(result_.problems, reading_->problems());
  return std::move(result_);
}

void ProgramRun::fetchArtifacts() {
  // That of the program; functions called now may set it again.
  hostEnd_.reset();
  // Find all instances before calling any.
  std::vector<StoppedInstance *> instances;
  for (const auto &unit : units_)
    instances.push_back(stopped(*unit));
  bool isUnknown = hasEnded_ && stackAtEnd_.empty();
  auto stack = isUnknown ? std::nullopt : std::optional(stackAtEnd_);
  if (countedPart_ && countedPart_->endAll())
    readCounts(stack);
  for (auto [unit, instance] : zip_equal(units_, instances)) {
    if (!instance)
      continue;
    OpenFrames left;
    left.add(stack, unit->place);
    warpo::fetchArtifacts(unit->module, unit->id, *instance, left,
                          countedPart_ ? &countedPart_->countsOf(*unit) : nullptr, result_);
  }
}

Error ProgramRun::decodeUnits() {
  beginPhase("decode");
  if (Error error = load())
    return error;
  uint64_t bytes = 0;
  for (const auto &unit : units_)
    bytes += unit->file ? unit->file->getBufferSize() : 0;
  endPhase("bytes", bytes);
  if (Error error = checkIdentities())
    return error;
  // Reports a mistake in --invoke before anything is recorded.
  return findEntry();
}

Error ProgramRun::checkIdentities() const {
  for (const auto &unit : units_)
    for (const auto &other : ArrayRef(units_).take_front(unit->place))
      if (unit->id == other->id && unit->instrumented && other->instrumented)
        return fileError(unit->path,
                         "its module id " + Twine(unit->id) + " is also that of " + other->path);
  return Error::success();
}

Error ProgramRun::findEntry() {
  ArrayRef<ExportedFunction> known = app().functions;
  bool hasStart = any_of(app().module.sections, [](const wasm::Section &section) {
    return section.id == wasm::SectionId::start;
  });
  auto entry = warpo::findEntry(request_, known, hasStart);
  if (!entry)
    return entry.takeError();
  if (*entry) {
    entry_ = known[(*entry)->function];
    arguments_ = std::move((*entry)->arguments);
    results_.resize(entry_->results.size());
  }
  return Error::success();
}

/// Declares which traced imports of a unit are traced functions of another unit.
static void declareLinks(warpo_recorder *recorder, ArrayRef<std::unique_ptr<ProgramUnit>> units) {
  std::vector<TracedLinks> links;
  StringSet<> exported;
  auto fullName = [](StringRef module, StringRef name) {
    return (module + Twine('\0') + name).str();
  };
  for (const auto &unit : units) {
    links.push_back(unit->instrumented ? tracedLinks(unit->module.bytes) : TracedLinks());
    for (StringRef name : links.back().exports)
      exported.insert(fullName(unit->name, name));
  }
  for (auto [unit, link] : zip_equal(units, links)) {
    std::vector<int32_t> linked;
    for (const TracedLinks::Import &import : link.imports)
      if (exported.contains(fullName(import.module, import.name)))
        linked.push_back(import.id);
    // Fails without memory or for a format that keeps both calls.
    (void)warpo_recorder_link(recorder, unit->id, linked.data(), linked.size());
  }
}

Error ProgramRun::openRecord(ArrayRef<uint64_t *> samplePoints) {
  bool isPlain = request_.sampling.byEngine;
  result_.instrumented |= isPlain;
  if (session_ || !result_.instrumented)
    return Error::success();
  auto session = RecordSession::open(request_.record, isPlain);
  if (!session)
    return session.takeError();
  session_ = std::move(*session);
  if (isPlain)
    return openPlainRecord();
  // Describe all modules first: a shared stream needs to know the range of their ids.
  std::vector<ProgramUnit *> recorded;
  for (const auto &unit : units_)
    if (unit->traces || (unit->hasSectionsOnly() && session_->recordsSections()))
      recorded.push_back(unit.get());
  for (const auto &unit : units_)
    if (unit->instrumented)
      if (Error error = session_->describeModule(*unit, /*isAlone=*/recorded.size() <= 1))
        return error;
  openEvents(recorded);
  if (units_.size() > 1)
    declareLinks(session_->recorder(), units_);
  for (const auto &unit : units_) {
    if (unit->samples && !sampler_)
      if (Error error = openSamples(*unit, samplePoints))
        return error;
    if (unit->reportsHeap && !heapLog_)
      if (Error error = openHeap(*unit))
        return error;
  }
  return Error::success();
}

void ProgramRun::followSwitch(uint64_t *recording, std::function<void()> beforeOn) {
  if (session_)
    session_->followSwitch(recording, std::move(beforeOn));
}

void ProgramRun::resumeCalls(ArrayRef<TrapFrame> stack) {
  if (ignoresEvents_ || !session_ || stack.empty())
    return;
  std::vector<UnrecordedCall> calls = findUnrecordedCalls(units_, stack.drop_front(), openCalls());
  for (auto [unit, id] : calls) {
    unit->record(id);
    pushCall(*unit, id);
  }
  // If no call was missing, ends of calls that began meanwhile must not be reported.
  if (!calls.empty())
    session_->recordEnds();
}

void ProgramRun::pushCall(const ProgramUnit &unit, int32_t id) {
  if (compiledCalls_)
    compiledCalls_->push(unit, id);
  else
    calls_.follow(unit.id, id);
}

/// For an uninstrumented program that is sampled.
Error ProgramRun::openPlainRecord() {
  for (const auto &unit : units_)
    if (Error error = session_->describeModule(*unit, /*isAlone=*/true))
      return error;
  auto stream = session_->openSampleStream(units_.front()->id, request_.sampling);
  if (!stream)
    return stream.takeError();
  engineSamples_ = std::make_unique<EngineSamples>(*session_, *stream);
  return Error::success();
}

/// All units in this process share one stack, and so one stream. A single unit has its own.
void ProgramRun::openEvents(ArrayRef<ProgramUnit *> recorded) {
  if (recorded.empty())
    return;
  // The ids of the first unit do not change.
  uint64_t module = recorded.front()->id;
  warpo_event_stream *stream =
      any_of(recorded, [](const ProgramUnit *unit) { return unit->countsFuel; })
          ? warpo_event_stream_open_fuel(session_->recorder(), module)
          : warpo_event_stream_open(session_->recorder(), module);
  for (ProgramUnit *unit : recorded) {
    unit->events = stream;
    if (recorded.size() > 1)
      unit->stack = warpo_event_stream_join(stream, unit->id);
  }
}

Error ProgramRun::openSamples(const ProgramUnit &unit, ArrayRef<uint64_t *> points) {
  auto stream = session_->openSampleStream(unit.id, request_.sampling);
  if (!stream)
    return stream.takeError();
  // Without a timer, units have to ask more often, each time with a host call.
  sampler_ = std::make_unique<Sampler>(request_.sampling, *stream, points.empty() ? 20 : 2);
  sampler_->startTimer(points);
  return Error::success();
}

Error ProgramRun::openHeap(const ProgramUnit &unit) {
  auto stream = session_->openHeapStream(unit.id);
  if (!stream)
    return stream.takeError();
  heapLog_ = std::make_unique<HeapLog>(*stream, request_.sampling.heapInterval,
                                       request_.sampling.heapSeed);
  return Error::success();
}

std::optional<uint32_t> ProgramRun::numberOf(wasm::ExternalKind kind, const ProgramUnit &unit,
                                             uint32_t index) {
  uint32_t imported = 0;
  for (const wasm::Import &import : unit.module.imports)
    if (import.kind == kind && imported++ == index)
      if (auto [other, place] = findLinked(unit, import); other)
        return numberOf(kind, *other, other->module.exports[place].index);
  return heapLog_->numberOf(kind, unit, index);
}

/// Large 64-bit numbers are rounded, but no memory is that large.
static uint64_t wholeNumber(double number) {
  return number >= 0x1p64 ? UINT64_MAX : number > 0 ? uint64_t(number) : 0;
}

void ProgramRun::changeHeap(const ProgramUnit &unit, int32_t operation, double address, double size,
                            double oldAddress) {
  if (ignoresEvents_ || !heapLog_)
    return;
  // Engines in this process have no threads, so the bit for a shared memory is ignored.
  constexpr int32_t innermostIsAllocator = 8, isFound = 32, kinds = 7, callerShift = 6;
  int32_t kind = operation & kinds;
  bool ofTable = kind == WARPO_HEAP_TABLE_HAS_SIZE,
       hasSize = ofTable || kind == WARPO_HEAP_HAS_SIZE;
  uint64_t place = wholeNumber(address), old = wholeNumber(oldAddress);
  // In place of an old address: a call that has not been reported.
  bool isPlain = kind == WARPO_HEAP_ALLOCATES || kind == WARPO_HEAP_FREES;
  auto pending = isPlain ? int32_t(old) : 0;
  std::optional<uint32_t> memory =
      numberOf(ofTable ? wasm::ExternalKind::table : wasm::ExternalKind::memory, unit,
               hasSize ? uint32_t(place) : 0);
  if (!memory)
    return;
  warpo_heap_change change = {kind, *memory, hasSize ? 0 : place, wholeNumber(size),
                              isPlain ? 0 : old};
  if (!heapLog_->chooses(change))
    return;
  if (operation & isFound)
    return heapLog_->add(change, 0);
  size_t leftOut = operation & innermostIsAllocator ? 1 : 0;
  auto child = [this](uint64_t around, const OpenCall &call) {
    return heapLog_->stackWithin(around, call);
  };
  uint64_t stack = compiledCalls_ ? compiledCalls_->stackWithout(leftOut, child)
                                  : calls_.stackWithout(leftOut, child);
  if (pending != 0)
    stack = child(stack, {unit.id, pending});
  if (uint32_t caller = uint32_t(operation) >> callerShift)
    stack = child(stack, {unit.id, firstFunctionId - 1 + int32_t(caller)});
  heapLog_->add(change, stack);
}

// Engines may leave this, or functions called here, by longjmp. So objects with destructors must be
// gone before code of the program runs.
Error ProgramRun::runUnits() {
  for (const auto &unit : units_) {
    if (Error error = linkUnit(*unit))
      return error;
    startUnit(*unit);
    if (hasEnded_)
      return Error::success();
  }
  if (entry_)
    callEntry();
  return Error::success();
}

Error ProgramRun::linkUnit(ProgramUnit &unit) {
  beginPhase("link");
  if (Error error = link(unit))
    return error;
  endPhase("imports", unit.module.imports.size());
  return unit.instrumented || request_.sampling.byEngine ? openRecord() : Error::success();
}

void ProgramRun::startUnit(ProgramUnit &unit) {
  beginRunning("start");
  start(unit);
  if (hasEnded_)
    return;
  closeSections();
  endRunning();
  if (none_of(units_, [](const auto &each) { return each->samples; }))
    return;
  if (StoppedInstance *instance = stopped(unit))
    reading_->offer(unit.module, unit.path, *instance);
}

void ProgramRun::callEntry() {
  beginRunning("run");
  call(*entry_, arguments_, results_);
  if (hasEnded_)
    return;
  closeSections();
  endRunning();
  for (auto [type, bits] : zip_equal(entry_->results, results_))
    result_.results.push_back({type, bits});
  if (!request_.invoke.empty())
    return;
  // The result of main is the exit code.
  if (results_.size() == 1 && entry_->results[0] == ValueType::i32)
    result_.exitWith(results_[0]);
  result_.results.clear();
}

void ProgramRun::end(StringRef trapMessage, std::vector<TrapFrame> stack) {
  hasEnded_ = true;
  stackAtEnd_ = std::move(stack);
  closeSections();
  endPhase();
  if (hostEnd_ && hostEnd_->exitCode)
    return result_.exitWith(uint64_t(*hostEnd_->exitCode));
  result_.trap.emplace();
  result_.trap->message = hostEnd_ ? hostEnd_->message : trapMessage.str();
  result_.trap->stack = stackAtEnd_;
  // If a module keeps its open calls itself, only those at its last report are known.
  if (none_of(units_, [](const auto &unit) { return wasm::keepsStack(unit->module); }))
    result_.trap->openCalls = openCalls();
}

std::optional<uint64_t> ProgramRun::totalFuel() const {
  std::optional<uint64_t> total;
  for (const auto &unit : units_)
    if (auto fuel = unit->counter(wasm::Counter::fuel))
      total = total.value_or(0) + *fuel;
  return total;
}

void ProgramRun::beginPhase(const char *name) {
  fuelBefore_ = totalFuel().value_or(0);
  phases_->begin(name);
}

void ProgramRun::endPhase() {
  if (auto fuel = totalFuel())
    phases_->end("fuel", *fuel - fuelBefore_);
  else
    phases_->end();
}

/// Begins a phase in which the program itself runs.
void ProgramRun::beginRunning(const char *name) {
  beginPhase(name);
  if (countedPart_ && countedPart_->begin(nullptr, name))
    readCounts(std::vector<TrapFrame>());
}

void ProgramRun::endRunning() {
  endPhase();
  if (countedPart_ && countedPart_->end(nullptr))
    readCounts(std::vector<TrapFrame>());
}

/// Called when the part begins or ends. `stack` is nothing if the open calls are unknown.
void ProgramRun::readCounts(std::optional<std::vector<TrapFrame>> stack) {
  for (const auto &unit : units_)
    if (Error error = countedPart_->read(*unit, stopped(*unit), stack))
      result_.artifactProblems.push_back(unit->path + ": counts of " + request_.countsOf +
                                         " cannot be read: " + toString(std::move(error)));
}

void ProgramRun::readCountsHere(StackReader stack) {
  std::vector<TrapFrame> frames = stack ? stack() : std::vector<TrapFrame>();
  readCounts(frames.empty() ? std::nullopt : std::optional(std::move(frames)));
}

void ProgramRun::endPhase(const char *unit, uint64_t ticks) { phases_->end(unit, ticks); }

std::optional<uint64_t> ProgramRun::sample(const ProgramUnit &unit, uint64_t fuel) {
  if (ignoresEvents_) {
    bool isWithin = unit.indexOf(wasm::Counter::fuel)
                        ? fuel < GuestCallback::mostFuel
                        : std::chrono::steady_clock::now() < callbackEnd_;
    return isWithin ? std::optional(GuestCallback::mostFuel) : std::nullopt;
  }
  return sampler_->sample(
      unit.place, fuel, [this] { return openCalls(); }, [this] { return reading_->read(); });
}

bool ProgramRun::isSampleOverdue() const { return sampler_ && sampler_->isOverdue(); }

void ProgramRun::beginSection(const ProgramUnit &unit, std::optional<ArrayRef<uint8_t>> name,
                              StackReader stack) {
  if (ignoresEvents_)
    return;
  if (countedPart_ && countedPart_->begin(&unit, toStringRef(name.value_or(ArrayRef<uint8_t>()))))
    readCountsHere(stack);
  int32_t id = session_->beginSection(unit.id, unit.events, name, unit.recordedFuel());
  if (id == 0)
    return;
  pushCall(unit, id);
}

void ProgramRun::endSection(const ProgramUnit &unit, StackReader stack) {
  if (ignoresEvents_)
    return;
  if (countedPart_ && countedPart_->end(&unit))
    readCountsHere(stack);
  bool isOpen = popSection(unit);
  if (unit.events)
    warpo_section_end(unit.events, unit.recordedFuel());
  else
    result_.sections.endsWithoutBegin += !isOpen && session_->recordsSections();
}

/// Closes sections that units without trace points have left open.
void ProgramRun::closeSections() {
  for (const auto &unit : units_)
    for (; unit->hasSectionsOnly() && popSection(*unit); ++result_.sections.neverEnded)
      warpo_section_end(unit->events, unit->recordedFuel());
  // If the program has ended within calls, the counters are read together with its artifacts.
  if (countedPart_ && !hasEnded_ && countedPart_->endSections())
    readCounts(std::vector<TrapFrame>());
}

std::vector<OpenCall> ProgramRun::openCalls() const {
  return compiledCalls_ ? compiledCalls_->innermostFirst() : calls_.innermostFirst();
}

bool ProgramRun::popSection(const ProgramUnit &unit) {
  return compiledCalls_ ? compiledCalls_->popSection(unit) : calls_.endSection(unit.id);
}
