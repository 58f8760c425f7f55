//===- ProfileTool.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ProfileTool.h"
#include "../common/FormatHint.h"
#include "TableFolder.h"
#include "warpo/Profile/Views.h"
#include "warpo/Profile/WindowProfiles.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Tooling/ProfileInput.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

static Error setFormatOptions(ProfileBackend &backend, const ProfileRequest &request) {
  for (StringRef option : request.formatOptions) {
    auto [name, value] = option.split('=');
    if (Error error = backend.setOption(name, value))
      return makeError("format '" + request.format + "' " + toString(std::move(error)));
  }
  return Error::success();
}

/// Fails if the profile has a ratio that the backend cannot show.
static Error checkRatio(const Profile &profile, const ProfileBackend &backend,
                        const ProfileRequest &request, StringRef weight) {
  if (!profile.per || backend.canShowRatio())
    return Error::success();
  auto known = warpo::Registry<ProfileBackend>::entries();
  if (!known)
    return known.takeError();
  std::string able;
  for (const RegistryEntryInfo &entry : *known) {
    auto other = warpo::Registry<ProfileBackend>::create(entry.name);
    if (!other)
      return other.takeError();
    if ((*other)->canShowRatio())
      able.append(able.empty() ? "" : ", ").append(entry.name.str());
  }
  return unmetNeed("--weight=" + weight, Need::ratios,
                   "'" + request.format + "' cannot; these can: " + able +
                       "; and all reports of warpo-report");
}

Expected<ToolResult> warpo::writeProfile(const ProfileRequest &request,
                                         const ReadingOptions &options,
                                         const ProfileOptions &profileOptions) {
  auto backend = createFormat<ProfileBackend>(request.format);
  if (!backend)
    return backend.takeError();
  if (Error error = setFormatOptions(**backend, request))
    return error;
  if (request.sourceUrl && !(*backend)->canLink())
    return unmetNeed("--source-url", Need::links, "'" + request.format + "' cannot");
  (*backend)->linkTo(request.sourceUrl);
  if (!request.labels.empty() && !(*backend)->showsOrigin())
    return unmetNeed("--label", Need::labels, "'" + request.format + "' has none");
  if (request.every > 0 && !(*backend)->takesWindows())
    return unmetNeed("--every", Need::windows, "'" + request.format + "' has none");
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  const bool toFolder = (*backend)->formsFolders() && StringRef(request.output).ends_with("/");
  NewFolders folders;
  std::unique_ptr<OutputFile> file;
  auto open = [&](StringRef path) -> Error {
    auto created = OutputFile::create(path, request.format, (*backend)->isBinary());
    if (!created)
      return created.takeError();
    file = std::move(*created);
    return Error::success();
  };
  // Before inputs are read, so that an unwritable output is reported at once.
  if (!toFolder)
    if (Error error = open(request.output))
      return error;

  ProfileSource source = profileOptions.source();
  source.showsLines |= (*backend)->showsLines();
  source.every = request.every;
  // Windows are a level of the call tree.
  if (request.every > 0)
    source.limits.maxDepth = SaturatingAdd(source.limits.maxDepth, 1U);
  ProfileReader reader(options, source);
  auto profile = reader.readMerged(request.inputs);
  if (!profile)
    return profile.takeError();
  if (!request.title.empty())
    profile->title = request.title;
  const std::string title = profile->title;
  profile = views->prepare(std::move(*profile));
  if (!profile)
    return profile.takeError();
  ProfileViews::LeftOut leftOut;
  auto show = [&](Profile part) -> Expected<Profile> {
    Profile viewed = views->show(std::move(part), leftOut);
    if (Error error = checkRatio(viewed, **backend, request, profileOptions.weight))
      return error;
    if ((*backend)->namesModules())
      viewed = nameModules(std::move(viewed));
    viewed.title = title;
    return viewed;
  };
  std::optional<Profile> shown;
  std::optional<WindowProfiles> windows;
  if (request.every > 0) {
    auto split = WindowProfiles::create(std::move(*profile));
    if (!split)
      return split.takeError();
    windows = std::move(*split);
  } else {
    auto viewed = show(std::move(*profile));
    if (!viewed)
      return viewed.takeError();
    shown = std::move(*viewed);
  }
  OutputOrigin origin{.labels = request.labels, .window = reader.window()};
  if (toFolder) {
    auto place = placeInFolder(request.output, title, (*backend)->extension(), origin);
    if (!place)
      return place.takeError();
    if (Error error = folders.make(sys::path::parent_path(place->path)))
      return error;
    if (Error error = open(place->path))
      return error;
    if (place->isNew)
      file->mustBeNew();
  }
  (*backend)->setOrigin(std::move(origin));
  size_t next = 0;
  auto nextWindow = [&]() -> Expected<std::optional<std::pair<Profile, TimeWindow>>> {
    if (next == windows->size())
      return std::nullopt;
    TimeWindow span{windows->begin(next), SaturatingAdd(windows->begin(next), request.every)};
    auto viewed = show(windows->profile(next++));
    if (!viewed)
      return viewed.takeError();
    return std::pair(std::move(*viewed), span);
  };
  if (Error error = windows ? (*backend)->writeWindows(nextWindow, file->os())
                            : (*backend)->write(*shown, file->os()))
    return error;
  views->report(leftOut);
  for (const std::string &text : (*backend)->notes())
    note(text);
  if (Error error = file->commit())
    return error;
  return reader.result();
}
