//===- DiffTool.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/DiffTool.h"
#include "warpo/Output/DiffBackend.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/Support/Format.h"

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
  // Before the long work.
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
  // Files of the same name in two folders.
  if (after == before && inputs.size() == 1 && options.diff.size() == 1)
    return inputs.front() + " against " + options.diff.front();
  return after + " against " + before;
}

Expected<ToolResult> warpo::verdictOf(const ProfileDiff &diff, const DiffOptions &options,
                                      ToolResult result) {
  auto limit = options.limit();
  if (!limit)
    return limit.takeError();
  Increase largest = diff.largestIncrease();
  if (!*limit || !(largest.share > **limit))
    return result;
  std::string share;
  raw_string_ostream(share) << format("%.1f %%", largest.share * 100);
  note((largest.function == noFunction
            ? Twine("the whole")
            : "'" + Twine(diff.functions[largest.function].function.name) + "'")
           .str() +
       " increased by " + share + " of the whole, more than --fail-above=" + options.failAbove);
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
