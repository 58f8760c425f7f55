//===- EarlierRun.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EarlierRun.h"
#include "warpo/Order/FunctionMatch.h"
#include "warpo/Profile/SampledTime.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Record/ProbeRange.h"
#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/FunctionTotals.h"
#include "warpo/Slice/Slicing.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/Gunzip.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Tooling/ProfileInput.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <set>

using namespace llvm;
using namespace warpo;

double EarlierRun::time() const {
  double sum = elsewhere;
  for (const Function &function : functions)
    sum += function.self;
  return sum;
}

uint64_t EarlierRun::calls() const {
  uint64_t sum = 0;
  for (const Function &function : functions)
    sum = SaturatingAdd(sum, function.calls);
  return sum;
}

std::vector<double> EarlierRun::plainSelf(double times) const {
  std::vector<double> plain;
  for (const Function &function : functions) {
    double probes = isProbed ? double(function.calls) * begin + double(function.callees) * end : 0;
    plain.push_back(std::max(0.0, function.self - times * probes));
  }
  return plain;
}

static uint64_t identifierOf(const OrderModule &module) {
  return support::endian::read64le(module.hash().data());
}

/// Whether a Function or a ProfileFunction is the section that stands for unrecorded time.
template <typename T> static bool isPause(const T &function) {
  return isSection(function.id) && function.name == "(recording off)";
}

namespace {

/// Sums up calls and samples by function. Sections count for the functions around them.
class UseSums : public EventSink {
public:
  explicit UseSums(FunctionTable &functions)
      : functions_(functions), totals_(functions, FunctionTotals::Calls::summed) {}

  Error events(const EventBatch &batch) override;
  Error beside(const SideBatch &batch) override {
    byStack_.resize(std::max(byStack_.size(), functions_.stacks().size()));
    for (const StackSample &sample : batch.entries.samples)
      byStack_[sample.stack] += double(sample.timeSince);
    return Error::success();
  }
  Error finish() override { return totals_.finish(); }

  const FunctionTotals &totals() const { return totals_; }
  /// By stack, the counts of the clock represented by its samples.
  ArrayRef<double> byStack() const { return byStack_; }

private:
  FunctionTable &functions_;
  FunctionTotals totals_;
  EventColumns made_;
  std::vector<double> byStack_;
};

/// Converts a record to an EarlierRun.
class RecordUse {
public:
  RecordUse(StringRef name, std::unique_ptr<RecordReader> reader, const OrderModule &module,
            EarlierRun &run)
      : name_(name), reader_(std::move(reader)), module_(module), run_(run), sums_(functions_) {}

  Error read();

private:
  Error refuse(const Twine &reason) const { return fileError(name_, reason); }
  Expected<std::set<uint64_t>> moduleIds() const;
  Error matchFunctions();
  void addCalls(double unit);
  void addSamples(double unit);

  StringRef name_;
  std::unique_ptr<RecordReader> reader_;
  const OrderModule &module_;
  EarlierRun &run_;
  FunctionTable functions_;
  UseSums sums_;
  /// By function of the table.
  std::vector<std::optional<uint32_t>> places_;
};

} // namespace

Error UseSums::events(const EventBatch &batch) {
  made_.clear();
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      made_.append(range);
  };
  for (const auto &[i, event] : enumerate(batch.events)) {
    takeLosses(i);
    const Function &function = functions_[event.function];
    if (!isSection(function.id) || isPause(function))
      made_.append(event, noCounts);
  }
  takeLosses(batch.events.size());
  return totals_.events(made_.batch(batch.stream));
}

// The ids in the record that belong to the module.
Expected<std::set<uint64_t>> RecordUse::moduleIds() const {
  const RecordHeader &header = reader_->header();
  std::set<uint64_t> ours, others;
  const RecordedModule *other = nullptr;
  for (const RecordedModule &recorded : header.modules) {
    if (recorded.hash.empty())
      continue;
    bool isOurs = StringRef(recorded.hash) == toStringRef(module_.hash());
    (isOurs ? ours : others).insert(recorded.id);
    if (!isOurs)
      other = &recorded;
  }
  std::set<uint64_t> unknown;
  for (const StreamInfo &stream : header.streams)
    for (uint64_t id : stream.moduleIds())
      if (id == identifierOf(module_))
        ours.insert(id);
      else if (others.count(id) == 0)
        unknown.insert(id);
  if (!ours.empty())
    return ours;
  if (unknown.size() == 1)
    return unknown;
  if (other)
    return refuse("is a record of another module (" +
                  (other->name.empty() ? "hash " : "'" + other->name + "', hash ") +
                  toHex(other->hash, true) + ") than " + module_.fileName() + " (hash " +
                  toHex(module_.hash(), true) + ")");
  return refuse("does not say which module it is of");
}

Error RecordUse::matchFunctions() {
  auto ids = moduleIds();
  if (!ids)
    return ids.takeError();
  places_.resize(functions_.size());
  FunctionMatcher matcher(module_);
  bool found = false;
  for (uint64_t id : *ids) {
    std::vector<const Function *> known = functions_.functionsOf(id);
    erase_if(known, [](const Function *function) { return isSection(function->id); });
    std::vector<RecordedFunction> recorded;
    for (const Function *function : known)
      recorded.push_back({function->name, function->id});
    for (auto [function, match] : zip_equal(known, matcher.match(recorded))) {
      places_[function->direct] = match;
      if (!match)
        continue;
      run_.functions[*match].isTraced = true;
      found = true;
    }
  }
  return found ? Error::success()
               : refuse("names no function of " + module_.fileName() +
                        " (records in the format warpo do)");
}

void RecordUse::addCalls(double unit) {
  ArrayRef<FunctionSums> sums = sums_.totals().sums();
  for (FunctionIndex index : sums_.totals().called()) {
    // Nothing runs during a suspension.
    if (functions_.isSuspension(index))
      continue;
    double self = double(sums[index].time.self) * unit;
    if (isPause(functions_[index])) {
      run_.off += self;
      continue;
    }
    if (!places_[index]) {
      run_.elsewhere += self;
      continue;
    }
    EarlierRun::Function &function = run_.functions[*places_[index]];
    function.calls = SaturatingAdd(function.calls, sums[index].calls.self);
    function.callees = SaturatingAdd(function.callees, sums[index].callees);
    function.self += self;
  }
}

// Frames outside of the module count for their callers.
void RecordUse::addSamples(double unit) {
  ArrayRef<ResolvedStack> stacks = functions_.stacks();
  std::vector<std::optional<uint32_t>> owners(stacks.size());
  for (size_t i = 1; i < sums_.byStack().size(); ++i) {
    owners[i] = places_[stacks[i].function];
    if (!owners[i])
      owners[i] = owners[stacks[i].parent];
    if (owners[i])
      run_.functions[*owners[i]].self += sums_.byStack()[i] * unit;
  }
}

Error RecordUse::read() {
  auto slicer = warpo::Registry<Slicer>::create("calls");
  if (!slicer)
    return slicer.takeError();
  LeafCalls leafCalls;
  DamageReport damage;
  const RecordHeader &header = reader_->header();
  auto sliced =
      sliceRecord(*reader_, functions_, **slicer, sums_, damage, [&](const RecordBatch &batch) {
        leafCalls.add(batch, header.measures.front().scale);
        return Error::success();
      });
  for (const std::string &message : damage.messages())
    warn(message);
  if (!damage.empty())
    run_.result = ToolResult::damaged;
  if (!sliced)
    return sliced.takeError();
  std::optional<TimeScale> scale = header.measures.front().scale;
  if (!header.hasTime() || !scale)
    return refuse(header.hasTime() ? Twine("does not say how long a count of its clock is")
                                   : "has no time: its clock is " + header.measures[0].name);
  if (Error error = matchFunctions())
    return error;
  run_.hasCalls = sliced->entries > 0;
  run_.isProbed = run_.hasCalls;
  double unit = scale->nanosecondsPerCount();
  if (!run_.hasCalls) {
    addSamples(unit);
    return Error::success();
  }
  addCalls(unit);
  ProbeCost stated = reader_->probe();
  ProbeRange range = ProbeRange::of(stated, leafCalls);
  double parts = unit / double(ProbeCost::partsOfCount);
  run_.statedCallCost = double(stated.begin + stated.end) * parts;
  // The cost is unknown if the clock never advanced.
  bool isShown = range.cost.begin + range.cost.end > 0;
  run_.begin = double(isShown ? range.cost.begin : stated.begin) * parts;
  run_.end = double(isShown ? range.cost.end : stated.end) * parts;
  if (range.likely > 0) {
    run_.least = range.least / range.likely;
    run_.most = range.most / range.likely;
  }
  return Error::success();
}

static Error addProfile(const Profile &profile, const OrderModule &module, EarlierRun &run) {
  std::optional<WeightIndex> time = profile.findWeight(Measure::timeClock);
  if (!time || profile.weights[*time].unit != "ns")
    return makeError("has no time in nanoseconds");
  std::vector<RecordedFunction> recorded;
  std::vector<size_t> places;
  for (const auto &[i, function] : enumerate(profile.functions)) {
    uint64_t id = profile.modules[function.module].id;
    if (function.kind == FunctionKind::pseudo || isSection(function.id) ||
        (id != 0 && id != identifierOf(module)))
      continue;
    recorded.push_back({function.name, function.id});
    places.push_back(i);
  }
  std::vector<std::optional<uint32_t>> functions(profile.functions.size());
  FunctionMatcher matcher(module);
  bool found = false;
  for (auto [place, match] : zip_equal(places, matcher.match(recorded))) {
    functions[place] = match;
    found |= match.has_value();
  }
  if (!found)
    return makeError("has no function of " + module.fileName() + ", whose identifier is " +
                     Twine(identifierOf(module)));
  // A profile only has functions that were called: which others were traced is unknown.
  for (EarlierRun::Function &function : run.functions)
    function.isTraced = true;
  std::vector<std::optional<uint32_t>> owners(profile.tree.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    const ProfileFunction &function = profile.function(node);
    double self = double(profile.self(node, *time));
    if (isPause(function)) {
      run.off += self;
      continue;
    }
    bool isPart = isSection(function.id);
    uint64_t calls = isPart || profile.isPseudo(node) ? 0 : profile.calls(node);
    std::optional<uint32_t> around = owners[profile.tree[node].parent];
    if (around)
      run.functions[*around].callees = SaturatingAdd(run.functions[*around].callees, calls);
    std::optional<uint32_t> place = isPart ? around : functions[profile.tree[node].function];
    owners[node] = place;
    if (!place) {
      run.elsewhere += self;
      continue;
    }
    run.functions[*place].calls = SaturatingAdd(run.functions[*place].calls, calls);
    run.functions[*place].self += self;
  }
  run.hasCalls = profile.findWeight("calls").has_value();
  run.isProbed =
      run.hasCalls && !profile.findWeight(timeSamplesWeight) && !profile.findWeight("probe");
  return Error::success();
}

Expected<EarlierRun> EarlierRun::read(StringRef path, const OrderModule &module) {
  auto stream = openGunzipped(path);
  if (!stream)
    return stream.takeError();
  EarlierRun run;
  std::string name = (*stream)->name().str();
  run.title = inputTitle(name);
  run.functions.resize(module.size());
  auto saved = findProfileFormat(**stream);
  if (!saved)
    return saved.takeError();
  if (saved->first) {
    auto profile = readSavedProfile(**stream, *saved->first);
    if (!profile)
      return profile.takeError();
    if (Error error = addProfile(*profile, module, run))
      return fileError(name, toString(std::move(error)));
    return run;
  }
  auto reader = openRecord(std::move(*stream));
  if (!reader)
    return reader.takeError();
  if (Error error = RecordUse(name, std::move(*reader), module, run).read())
    return error;
  return run;
}
