//===- DiffTool.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/DiffTool.h"
#include "warpo/Output/DiffBackend.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace warpo;

Expected<std::optional<double>> DiffOptions::limit() const {
  if (!given(failAbove))
    return std::nullopt;
  auto share = parseShare(failAbove, failAbove.ArgStr);
  if (!share)
    return share.takeError();
  return *share;
}

Expected<ProfileDiff> warpo::readDiff(const DiffOptions &options, ArrayRef<std::string> inputs,
                                      ProfileReader &reader, const ProfileViews &views) {
  // Reports an invalid limit before the inputs are read.
  if (auto limit = options.limit(); !limit)
    return limit.takeError();
  std::vector<Profile> sides[2];
  for (auto [names, side] :
       {std::pair(ArrayRef<std::string>(options.diff), &sides[0]), {inputs, &sides[1]}})
    for (const std::string &name : names) {
      auto profile = reader.read(name);
      if (!profile)
        return profile.takeError();
      auto viewed = views.apply(std::move(*profile));
      if (!viewed)
        return viewed.takeError();
      side->push_back(std::move(*viewed));
    }
  auto diff = diffProfiles(sides[0], sides[1]);
  if (diff)
    for (const RenamedModule &module : diff->renamedModules)
      if (!module.before.empty() && !module.after.empty())
        note("module '" + module.before + "' is compared with '" + module.after +
             "': each is on one side only");
  return diff;
}

std::string warpo::diffTitle(const DiffOptions &options, ArrayRef<std::string> inputs) {
  auto nameOf = [](ArrayRef<std::string> names) {
    if (names.size() != 1)
      return countOf(names.size(), "run");
    return names.front() == "-" ? "stdin" : inputTitle(names.front());
  };
  std::string after = nameOf(inputs), before = nameOf(options.diff);
  // Same file name in different folders.
  if (after == before && inputs.size() == 1 && options.diff.size() == 1)
    return inputs.front() + " against " + options.diff.front();
  return after + " against " + before;
}

/// Enough digits to distinguish a small share from a limit: `12.5 %`, `0.137 %`, `340 %`.
static std::string percentOf(double share) {
  double percent = share * 100;
  if (std::isinf(percent))
    return "\u221e %";
  int decimals = percent < 100 ? 1 : 0;
  for (double part = percent; part > 0 && part < 10 && decimals < 6; part *= 10)
    ++decimals;
  std::string text;
  raw_string_ostream(text) << format("%.*f %%", decimals, percent);
  return text;
}

static std::string changeText(const ProfileDiff &diff) {
  const DiffWeight &weight = diff.weight();
  const Change &all = weight.inclusive[ContextTree::root];
  auto total = [&](double sum) {
    return formatWeight(uint64_t(std::clamp(std::round(sum), 0.0, 9.2e18)), weight.unit);
  };
  std::string both = "from " + total(all.before.mean) + " to " + total(all.after.mean);
  double difference = all.realDifference();
  if (all.difference() == 0)
    return "is the same, " + total(all.after.mean);
  if (difference == 0)
    return "changed by no more than between runs of one side, " + both;
  return (difference > 0 ? "increased " : "decreased ") +
         (all.before.mean > 0 ? "by " + percentOf(std::fabs(difference) / all.before.mean) + ", "
                              : "") +
         both;
}

/// Nothing if no increase exceeds the limit, or there is no limit.
static Expected<std::optional<std::string>> excessText(const ProfileDiff &diff,
                                                       const DiffOptions &options) {
  auto limit = options.limit();
  if (!limit)
    return limit.takeError();
  Increase largest = diff.largestIncrease();
  if (!*limit || !(largest.share > **limit))
    return std::nullopt;
  std::string who = largest.function == noFunction
                        ? "the whole"
                        : "'" + diff.functions[largest.function].function.name + "'";
  return who + " increased by " + percentOf(largest.share) +
         " of the whole, more than --fail-above=" + options.failAbove;
}

Expected<std::string> warpo::verdictText(const ProfileDiff &diff, const DiffOptions &options) {
  auto excess = excessText(diff, options);
  if (!excess)
    return excess.takeError();
  std::string text = diff.weight().name + " " + changeText(diff);
  if (*excess)
    return text + ": " + **excess;
  return given(options.failAbove) ? text + ": within --fail-above=" + options.failAbove : text;
}

Expected<ToolResult> warpo::verdictOf(const ProfileDiff &diff, const DiffOptions &options,
                                      ToolResult result) {
  auto excess = excessText(diff, options);
  if (!excess)
    return excess.takeError();
  if (!*excess)
    return result;
  explainExitCode(**excess);
  return std::max(result, ToolResult::increased);
}

Expected<ToolResult> warpo::writeDiff(const DiffRequest &request, const ReadingOptions &options,
                                      const ProfileOptions &profileOptions,
                                      const DiffOptions &diffOptions) {
  auto backend = warpo::Registry<DiffBackend>::create(request.format);
  if (!backend)
    return backend.takeError();
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  auto file = OutputFile::create(request.output, request.format, (*backend)->isBinary());
  if (!file)
    return file.takeError();
  ProfileReader reader(options, profileOptions.source());
  auto diff = readDiff(diffOptions, request.inputs, reader, *views);
  if (!diff)
    return diff.takeError();
  std::string title =
      request.title.empty() ? diffTitle(diffOptions, request.inputs) : request.title;
  if (Error error = (*backend)->write(*diff, title, (*file)->os()))
    return error;
  if (Error error = (*file)->commit())
    return error;
  return verdictOf(*diff, diffOptions, reader.result());
}
