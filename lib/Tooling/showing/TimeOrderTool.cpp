//===- TimeOrderTool.cpp - A flame chart instead of a flame graph ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "../common/FormatHint.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ProfileTool.h"
#include "warpo/Tooling/TimelineTool.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

using Clock = TimelineRequest::Clock;

/// The timeline format for a profile format.
static Expected<std::string> orderedFormat(StringRef format) {
  auto backend = createFormat<ProfileBackend>(format);
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
  return unmetNeed("--time-order", Need::singleCalls,
                   "the format '" + format +
                       "' holds sums only (formats that have them: " + join(known, ", ") + ")");
}

static Expected<Clock> clockOf(const ProfileOptions &options) {
  StringRef weight = options.weight;
  if (weight.empty() && options.noTime)
    weight = options.samples ? "samples" : "calls";
  if (weight.empty() || weight == "time")
    return Clock::timeOrTicks;
  if (weight == "calls")
    return Clock::calls;
  if (weight == "samples")
    return Clock::samples;
  if (Measure::ofClock(weight))
    return Clock::measure;
  return makeError("--weight=" + weight +
                   ": calls in the order of time have none (known: time, calls, samples, and the "
                   "record's other measures, such as fuel)");
}

Expected<ToolResult> warpo::writeTimeOrdered(const ProfileRequest &request,
                                             const ReadingOptions &options,
                                             const ProfileOptions &profileOptions) {
  auto format = orderedFormat(request.format);
  if (!format)
    return format.takeError();
  if (Error error = profileOptions.check())
    return error;
  auto clock = clockOf(profileOptions);
  if (!clock)
    return clock.takeError();
  return writeTimeline({.records = request.inputs,
                        .output = request.output,
                        .format = *format,
                        .options = {},
                        .renaming = profileOptions.renaming(),
                        .title = request.title,
                        .clock = *clock,
                        .measure = profileOptions.weight,
                        .part = profileOptions.part(),
                        .view = {.maxDepth = profileOptions.maxDepth,
                                 .dropsDeeper = profileOptions.maxDepthDrop,
                                 .phaseRoots = profileOptions.phaseRoots()},
                        .sourceUrl = request.sourceUrl},
                       options);
}
