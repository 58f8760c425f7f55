//===- TimeOrderTool.cpp - A flame chart instead of a flame graph ---------===//

#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ProfileTool.h"
#include "warpo/Tooling/TimelineTool.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>

using namespace llvm;
using namespace warpo;

using Clock = TimelineRequest::Clock;

/// The timeline format that stands for a profile format.
static Expected<std::string> orderedFormat(StringRef format) {
  auto backend = warpo::Registry<ProfileBackend>::create(format);
  if (!backend)
    return backend.takeError();
  if (StringRef ordered = (*backend)->timeOrdered(); !ordered.empty())
    return ordered.str();
  auto entries = warpo::Registry<ProfileBackend>::entries();
  if (!entries)
    return entries.takeError();
  std::vector<std::string> known;
  for (const RegistryEntryInfo &entry : *entries)
    if (!cantFail(warpo::Registry<ProfileBackend>::create(entry.name))->timeOrdered().empty())
      known.push_back(entry.name.str());
  return makeError("--time-order: the format '" + format +
                   "' holds sums, which have no order (formats that have: " + join(known, ", ") +
                   ")");
}

/// Views are steps from sums to sums.
static Error refuseViews(const ProfileRequest &request, const ProfileOptions &options) {
  using Reference = std::reference_wrapper<const cl::Option>;
  for (const cl::Option &option : std::initializer_list<Reference>{
           options.focus, options.ignore, options.root, options.module, options.hide,
           options.foldRecursion, options.perModule, options.invert, options.maxDepth,
           options.maxContexts, options.min, options.samples, options.phases})
    if (option.getNumOccurrences() > 0)
      return makeError("--time-order shows calls as they were, one by one: --" + option.ArgStr +
                       " does not go with it");
  if (!request.formatOptions.empty())
    return makeError("--time-order: the format has no option '" + request.formatOptions.front() +
                     "' then");
  return Error::success();
}

static Expected<Clock> clockOf(const ProfileOptions &options) {
  StringRef weight = options.weight;
  if (weight == "fuel")
    return Clock::fuel;
  if (weight == "calls" || (weight.empty() && options.noTime))
    return Clock::calls;
  if (weight.empty() || weight == "time")
    return Clock::timeOrTicks;
  return makeError("--weight=" + weight +
                   ": calls in the order of time have none (known: time, calls, fuel)");
}

Expected<ToolResult> warpo::writeTimeOrdered(const ProfileRequest &request,
                                             const ReadingOptions &options,
                                             const ProfileOptions &profileOptions) {
  auto format = orderedFormat(request.format);
  if (!format)
    return format.takeError();
  if (Error error = refuseViews(request, profileOptions))
    return error;
  // What options say against each other is said for both forms.
  if (auto views = ProfileViews::create(profileOptions); !views)
    return views.takeError();
  auto clock = clockOf(profileOptions);
  if (!clock)
    return clock.takeError();
  return writeTimeline({.records = request.inputs,
                        .output = request.output,
                        .format = *format,
                        .options = {},
                        .demangle = !profileOptions.noDemangle,
                        .title = request.title,
                        .clock = *clock,
                        .callsOption = "time-order"},
                       options);
}
