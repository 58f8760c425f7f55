//===- ProfileOptions.cpp -------------------------------------------------===//

#include "warpo/Tooling/ProfileOptions.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Profile/Views.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

ProfileOptions::ProfileOptions()
    : weight("weight",
             cl::desc("What to show: time (default), calls, fuel, samples, or what else there is; "
                      "time/fuel: time, with how much of it one of fuel took"),
             cl::value_desc("name"), cl::cat(toolOptions())),
      noTime("no-time", cl::desc("Show calls and no time: the same output on each run"),
             cl::cat(toolOptions())),
      maxContexts("max-contexts",
                  cl::desc("Count further calling contexts as (other) (default: 1000000)"),
                  cl::value_desc("n"), cl::init(CallTreeBuilder::Options().maxContexts),
                  cl::cat(toolOptions())),
      noDemangle("no-demangle", cl::desc("Names of C++ and Rust as they are in the module"),
                 cl::cat(toolOptions())),
      focus("focus", cl::desc("Only stacks with such a function"), cl::value_desc("glob"),
            cl::cat(toolOptions())),
      ignore("ignore", cl::desc("Only stacks without such a function"), cl::value_desc("glob"),
             cl::cat(toolOptions())),
      root("root", cl::desc("Stacks from such a function on"), cl::value_desc("glob"),
           cl::cat(toolOptions())),
      module("module", cl::desc("Only functions of such a module"), cl::value_desc("glob"),
             cl::cat(toolOptions())),
      hide("hide", cl::desc("Count such functions as part of their callers"),
           cl::value_desc("glob"), cl::cat(toolOptions())),
      foldRecursion("fold-recursion", cl::desc("Count recursive calls as part of the outer one"),
                    cl::cat(toolOptions())),
      perModule("per-module", cl::desc("A frame for each module, around its outermost calls"),
                cl::cat(toolOptions())),
      invert("invert", cl::desc("Callers below their callees"), cl::cat(toolOptions())),
      maxDepth("max-depth", cl::desc("Count deeper calls as part of the last level shown"),
               cl::value_desc("n"), cl::cat(toolOptions())),
      min("min", cl::desc("Count contexts of a smaller share as (small), as in 0.1%"),
          cl::value_desc("share"), cl::cat(toolOptions())),
      calls("calls", cl::desc("Of records with calls and samples the calls (default)"),
            cl::cat(toolOptions())),
      samples("samples", cl::desc("Of records with calls and samples the samples"),
              cl::cat(toolOptions())),
      phases("phases", cl::desc("roots: what the host did for the program, around what it called"),
             cl::value_desc("roots"), cl::ValueOptional, cl::cat(toolOptions())) {}

ProfileSource ProfileOptions::source() const {
  ProfileSource source;
  source.limits.maxContexts = maxContexts;
  source.limits.maxDepth = std::max(source.limits.maxDepth, maxDepth.getValue());
  source.part = calls     ? ProfileSource::Part::calls
                : samples ? ProfileSource::Part::samples
                          : ProfileSource::Part::any;
  if (phases == "roots") {
    source.roots =
        weight == "fuel" ? ProfileSource::Roots::phasesWithFuel : ProfileSource::Roots::phases;
    ++source.limits.maxDepth;
  }
  return source;
}

Expected<double> warpo::parseShare(StringRef text, StringRef option) {
  StringRef number = text;
  double unit = number.consume_back("%") ? 100 : 1;
  double value;
  if (number.getAsDouble(value) || !(value >= 0) || value > unit)
    return makeError("--" + option + "=" + text + ": not a share (as in 0.1% or 0.001)");
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
    return makeError("--weight=" + name + ": a weight stands in no relation to itself");
  profile.shown = *shown;
  profile.per = *per;
  return Error::success();
}

static void tellLeftOut(StringRef option, const Profile &before, const Profile &after) {
  uint64_t whole = before.total();
  uint64_t shown = after.total();
  if (shown == whole)
    return;
  note("--" + option + " leaves out " + formatShare(whole - shown, whole) + " (" +
       formatWeight(whole - shown, before.unit()) + " of " + formatWeight(whole, before.unit()) +
       ")");
}

Error ProfileViews::addStep(const cl::list<std::string> &option, View view) {
  auto globs = NameGlobs::create(option, option.ArgStr);
  if (!globs)
    return globs.takeError();
  if (!globs->empty())
    globSteps_.push_back({option.ArgStr.str(), std::move(*globs), view});
  return Error::success();
}

Expected<ProfileViews> ProfileViews::create(const ProfileOptions &options) {
  ProfileViews views(options);
  if (options.noTime && is_contained(llvm::split(options.weight, '/'), "time"))
    return makeError("--no-time and --weight=" + options.weight + " exclude each other");
  if (options.calls && options.samples)
    return makeError("--calls and --samples exclude each other");
  if (options.phases.getNumOccurrences() > 0 && options.phases != "roots")
    return makeError("--phases=" + options.phases +
                     ": not something to do with phases (known: "
                     "roots; warpo-report --phases makes a table of them)");
  // What is chosen comes before what is cut.
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
  if (options.maxDepth.getNumOccurrences() > 0 && options.maxDepth == 0)
    return makeError("--max-depth=0 leaves nothing to show");
  if (options.min.getNumOccurrences() > 0) {
    auto share = parseShare(options.min, options.min.ArgStr);
    if (!share)
      return share.takeError();
    views.minShare_ = *share;
  }
  return views;
}

Profile ProfileViews::inverted(const Profile &profile) const {
  uint64_t cut = 0;
  Profile result = invert(profile, options_.maxContexts, &cut);
  if (cut > 0)
    warn(countOf(cut, "stack") + " of more than " +
         countOf(options_.maxContexts, "inverted context") +
         " cut at the outer end; --max-contexts=N keeps more, in more memory");
  return result;
}

Expected<Profile> ProfileViews::apply(Profile profile) const {
  if (options_.noTime)
    profile = withoutTime(std::move(profile));
  if (Error error = showWeight(profile, options_.weight))
    return error;
  // Patterns are for the names that are shown.
  if (!options_.noDemangle)
    profile = demangle(std::move(profile));
  for (const GlobStep &step : globSteps_) {
    Profile viewed = step.view(profile, step.globs);
    tellLeftOut(step.option, profile, viewed);
    profile = std::move(viewed);
  }
  if (options_.foldRecursion)
    profile = foldRecursion(profile);
  if (options_.perModule)
    profile = groupByModule(profile);
  if (options_.invert)
    profile = inverted(profile);
  // Cuts by size come last: they shall see what is shown.
  if (options_.maxDepth.getNumOccurrences() > 0)
    profile = limitDepth(profile, options_.maxDepth);
  if (minShare_)
    profile = foldSmall(profile, *minShare_);
  return profile;
}
