//===- ProfileTool.cpp ----------------------------------------------------===//

#include "warpo/Tooling/ProfileTool.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Tooling/ProfileInput.h"

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

Expected<ToolResult> warpo::writeProfile(const ProfileRequest &request,
                                         const ReadingOptions &options,
                                         const ProfileOptions &profileOptions) {
  auto backend = warpo::Registry<ProfileBackend>::create(request.format);
  if (!backend)
    return backend.takeError();
  if (Error error = setFormatOptions(**backend, request))
    return error;
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  // Before the long work, so that what cannot be written is told at once.
  auto file = OutputFile::create(request.output, request.format, (*backend)->isBinary());
  if (!file)
    return file.takeError();

  ProfileReader reader(options, profileOptions.source());
  auto profile = reader.readMerged(request.inputs);
  if (!profile)
    return profile.takeError();
  auto viewed = views->apply(std::move(*profile));
  if (!viewed)
    return viewed.takeError();
  if (!request.title.empty())
    viewed->title = request.title;
  if (Error error = (*backend)->write(*viewed, (*file)->os()))
    return error;
  for (const std::string &text : (*backend)->notes())
    note(text);
  if (Error error = (*file)->commit())
    return error;
  return reader.result();
}
