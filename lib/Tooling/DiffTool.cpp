//===- DiffTool.cpp -------------------------------------------------------===//

#include "warpo/Tooling/DiffTool.h"
#include "warpo/Output/DiffBackend.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace warpo;

DiffOptions::DiffOptions()
    : diff("diff", cl::desc("Compare with this (repeated: with several runs)"),
           cl::value_desc("record"), cl::cat(toolOptions())),
      failAbove("fail-above",
                cl::desc("With --diff: exit code 3 if anything increased by more, as a share of "
                         "the whole"),
                cl::value_desc("share"), cl::cat(toolOptions())) {}

Error DiffOptions::check(const ProfileOptions &profileOptions) const {
  if (failAbove.getNumOccurrences() > 0) {
    if (!isDiff())
      return makeError("--fail-above needs --diff");
    if (auto share = parseShare(failAbove, failAbove.ArgStr); !share)
      return share.takeError();
  }
  if (isDiff() && StringRef(profileOptions.weight).contains('/'))
    return makeError("--diff and --weight=" + profileOptions.weight +
                     " exclude each other: what changed is told of one weight");
  // What is small on one side need not be on the other.
  if (isDiff() && profileOptions.min.getNumOccurrences() > 0)
    return makeError("--diff and --min exclude each other");
  return Error::success();
}

Expected<ProfileDiff> warpo::readDiff(const DiffOptions &options, ArrayRef<std::string> inputs,
                                      ProfileReader &reader, const ProfileViews &views) {
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
  return diffProfiles(sides[0], sides[1]);
}

std::string warpo::diffTitle(const DiffOptions &options, ArrayRef<std::string> inputs) {
  auto nameOf = [](ArrayRef<std::string> names) {
    if (names.size() != 1)
      return countOf(names.size(), "run");
    return names.front() == "-" ? "stdin" : inputTitle(names.front());
  };
  return nameOf(inputs) + " against " + nameOf(options.diff);
}

Expected<ToolResult> warpo::verdictOf(const ProfileDiff &diff, const DiffOptions &options,
                                      ToolResult result) {
  if (options.failAbove.getNumOccurrences() == 0)
    return result;
  auto limit = parseShare(options.failAbove, options.failAbove.ArgStr);
  if (!limit)
    return limit.takeError();
  Increase largest = diff.largestIncrease();
  if (!(largest.share > *limit))
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
