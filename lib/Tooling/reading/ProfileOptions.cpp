//===- ProfileOptions.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ProfileOptions.h"
#include "../common/NearNames.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Profile/HeapProfile.h"
#include "warpo/Profile/Views.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

RecordPart ProfileOptions::part() const {
  return calls ? RecordPart::calls : samples ? RecordPart::samples : RecordPart::any;
}

ProfileSource ProfileOptions::source() const {
  ProfileSource source;
  source.limits.maxContexts = maxContexts;
  source.limits.maxDepth = std::max(source.limits.maxDepth, maxDepth.getValue());
  source.part = part();
  source.countsSuspensions = wall;
  source.joinsTasks = joinsTasks();
  if (source.joinsTasks)
    source.limits.maxDepth = SaturatingAdd(source.limits.maxDepth, 1U);
  source.timeFrom = timeFrom;
  source.weight = weight;
  source.splitsInlined = inlines.getNumOccurrences() > 0;
  source.inlineCounts = inlines;
  using Heap = ProfileSource::Heap;
  source.heap = isHeapWeight(weight) || given(at) ? Heap::always
                : weight.empty() && !noTime && part() == RecordPart::any && timeFrom.empty()
                    ? Heap::alone
                    : Heap::never;
  source.heapAt = at;
  source.perThread = perThread;
  if (perThread)
    source.limits.maxDepth = SaturatingAdd(source.limits.maxDepth, 1U);
  source.showsLines = is_contained({"line", "file", "directory"}, by.getValue());
  if (phaseRoots()) {
    source.roots = ProfileSource::Roots::phases;
    source.limits.maxDepth = SaturatingAdd(source.limits.maxDepth, 1U);
  }
  return source;
}

Expected<double> warpo::parseShare(StringRef text, StringRef option) {
  StringRef number = text;
  double unit = number.consume_back("%") ? 100 : 1;
  double value;
  bool isNumber = !number.getAsDouble(value) && value >= 0;
  if (isNumber && unit == 1 && value > 1 && value <= 100)
    return makeError("--" + option + "=" + text + " is more than the whole; --" + option + "=" +
                     text + "% is a part of it");
  if (!isNumber || value > unit)
    return makeError("--" + option + "=" + text + ": not a share (as in 0.1% or 0.001)");
  if (value == 1 && unit == 1)
    return makeError("--" + option + "=" + text + " is 100 %; --" + option + "=1% is one percent");
  return value / unit;
}

static Error showWeight(Profile &profile, StringRef name) {
  if (name.empty())
    return Error::success();
  if (std::optional<WeightIndex> weight = profile.findWeight(name)) {
    profile.shown = *weight;
    return Error::success();
  }
  std::string known;
  for (const ProfileWeight &weight : profile.weights)
    known.append(known.empty() ? "" : ", ").append(weight.name);
  if (!name.contains('/'))
    return makeError("--weight=" + name + ": the profile does not have it (known: " + known + ")");
  auto [shownName, perName] = name.split('/');
  std::optional<WeightIndex> shown = profile.findWeight(shownName);
  std::optional<WeightIndex> per = profile.findWeight(perName);
  if (!shown || !per)
    return makeError(
        "--weight=" + name + ": the profile does not have '" + (shown ? perName : shownName) +
        "' (known: " + known +
        (perName == "fuel" && !per ? "; programs instrumented with trace,fuel have it)" : ")"));
  if (shown == per)
    return makeError("--weight=" + name + ": a ratio needs two different weights");
  profile.shown = *shown;
  profile.per = *per;
  return Error::success();
}

/// Adds to the option's sum, as it may leave out something of each of many parts.
static void addLeftOut(ProfileViews::LeftOut &leftOut, StringRef option, const Profile &before,
                       const Profile &after) {
  auto known = find_if(leftOut.sums, [&](const auto &sum) { return sum.option == option; });
  if (known == leftOut.sums.end())
    known = leftOut.sums.insert(known, {option.str(), before.unit().str()});
  known->whole = SaturatingAdd(known->whole, before.total());
  known->shown = SaturatingAdd(known->shown, after.total());
}

void ProfileViews::report(const LeftOut &leftOut) const {
  for (const auto &[option, unit, whole, shown] : leftOut.sums)
    if (shown != whole)
      note("--" + option + " leaves out " + formatShare(whole - shown, whole) + " (" +
           formatWeight(whole - shown, unit) + " of " + formatWeight(whole, unit) + ")");
  if (leftOut.cutStacks > 0)
    warn(countOf(leftOut.cutStacks, "stack") + " of more than " +
         countOf(options_.maxContexts, "inverted context") +
         " cut at the outer end; --max-contexts=N keeps more, in more memory");
}

static Error checkMatches(const Profile &profile, const TextsOption &option,
                          const NameGlobs &globs) {
  std::vector<StringRef> names;
  for (const ProfileFunction &function : profile.functions) {
    if (globs.matches(function.name))
      return Error::success();
    names.push_back(function.name);
  }
  // Nothing can match in a record without calls.
  return names.empty()
             ? Error::success()
             : makeError("--" + option.ArgStr + ": " + toString(noFunctionMatches(option, names)));
}

static Expected<std::optional<FunctionGroup>> parseGroup(StringRef text) {
  static constexpr std::pair<StringLiteral, std::optional<FunctionGroup>> groups[] = {
      {"line", FunctionGroup::line},
      {"file", FunctionGroup::file},
      {"directory", FunctionGroup::directory},
      {"module", FunctionGroup::module},
      {"function", std::nullopt}};
  for (const auto &[name, group] : groups)
    if (text == name)
      return group;
  return makeError("--by=" + text + ": unknown (known: line, file, directory, module, function)");
}

Error ProfileViews::addStep(const cl::list<std::string> &option, View view) {
  auto globs = NameGlobs::create(option, option.ArgStr);
  if (!globs)
    return globs.takeError();
  if (!globs->empty())
    globSteps_.push_back({option, std::move(*globs), view});
  return Error::success();
}

Expected<ProfileViews> ProfileViews::create(const ProfileOptions &options) {
  ProfileViews views(options);
  if (Error error = options.check())
    return error;
  // Selections come before cuts.
  const struct {
    const cl::list<std::string> &option;
    View view;
  } globOptions[] = {{options.focus, focus},
                     {options.ignore, ignore},
                     {options.root, rootAt},
                     {options.module, onlyModules},
                     {options.hide, hide}};
  for (const auto &[option, view] : globOptions)
    if (Error error = views.addStep(option, view))
      return error;
  if (given(options.async) && options.async != "joined" && options.async != "separate")
    return makeError("--async=" + options.async + ": unknown (known: separate, joined)");
  if (given(options.by)) {
    auto group = parseGroup(options.by);
    if (!group)
      return group.takeError();
    views.group_ = *group;
  }
  if (options.min.getNumOccurrences() > 0) {
    auto share = parseShare(options.min, options.min.ArgStr);
    if (!share)
      return share.takeError();
    views.minShare_ = *share;
  }
  return views;
}

Profile ProfileViews::inverted(const Profile &profile, LeftOut &leftOut) const {
  uint64_t cut = 0;
  Profile result = invert(profile, options_.maxContexts, &cut);
  leftOut.cutStacks += cut;
  return result;
}

bool ProfileViews::needContexts() const {
  // The cost of recording is only known with contexts.
  bool showsProbe = is_contained(llvm::split(options_.weight, '/'), "probe");
  return !globSteps_.empty() || !options_.timeFrom.empty() || options_.joinsTasks() ||
         options_.foldRecursion || options_.inlines.getNumOccurrences() > 0 || options_.perModule ||
         group_ || options_.invert || options_.maxDepth.getNumOccurrences() > 0 || minShare_ ||
         showsProbe;
}

/// Only a note: a pattern without matches changes nothing or leaves nothing, and one of several
/// inputs may lack what another has.
static void reportUnmatched(const Profile &profile, const TextsOption &option,
                            const NameGlobs &globs, bool isOfModules) {
  if (!isOfModules) {
    if (Error error = checkMatches(profile, option, globs))
      noteOnce(option.ArgStr, toString(std::move(error)));
    return;
  }
  std::vector<std::string> known;
  for (const ProfileModule &module : profile.modules)
    if (globs.matchesModule(module.id, module.name))
      return;
    else
      known.push_back(moduleLabel(module));
  if (!known.empty())
    noteOnce(option.ArgStr, "--" + option.ArgStr + ": no module is called '" +
                                join(ArrayRef<std::string>(option), "', '") +
                                "' (known: " + join(known, ", ") + ")");
}

Expected<Profile> ProfileViews::prepare(Profile profile) const {
  if (options_.noTime)
    profile = withoutTime(std::move(profile));
  if (Error error = showWeight(profile, options_.weight))
    return error;
  // Patterns match displayed names.
  if (options_.fullNames)
    profile = demangleFully(std::move(profile));
  else if (!options_.noDemangle)
    profile = demangle(std::move(profile));
  for (const GlobStep &step : globSteps_) {
    // A pattern that would keep nothing is a mistake.
    if (step.view == focus || step.view == rootAt)
      if (Error error = checkMatches(profile, step.option, step.globs))
        return error;
    reportUnmatched(profile, step.option, step.globs, step.view == onlyModules);
  }
  return profile;
}

Profile ProfileViews::show(Profile profile, LeftOut &leftOut) const {
  for (const GlobStep &step : globSteps_) {
    Profile viewed = step.view(profile, step.globs);
    addLeftOut(leftOut, step.option.ArgStr, profile, viewed);
    profile = std::move(viewed);
  }
  if (options_.foldRecursion)
    profile = foldRecursion(profile);
  if (options_.perModule)
    profile = groupByModule(profile);
  if (group_)
    profile = groupFunctions(profile, *group_);
  if (options_.invert)
    profile = inverted(profile, leftOut);
  // Cuts by size come last, as they depend on what is shown.
  if (options_.maxDepthDrop) {
    Profile kept = dropDepth(profile, options_.maxDepth);
    addLeftOut(leftOut, options_.maxDepthDrop.ArgStr, profile, kept);
    profile = std::move(kept);
  } else if (options_.maxDepth.getNumOccurrences() > 0) {
    profile = limitDepth(profile, options_.maxDepth);
  }
  if (minShare_)
    profile = foldSmall(profile, *minShare_);
  return profile;
}

Expected<Profile> ProfileViews::apply(Profile profile) const {
  auto prepared = prepare(std::move(profile));
  if (!prepared)
    return prepared;
  LeftOut leftOut;
  Profile shown = show(std::move(*prepared), leftOut);
  report(leftOut);
  return shown;
}
