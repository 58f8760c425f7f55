//===- ProfileTool.cpp ----------------------------------------------------===//

#include "warpo/Tooling/ProfileTool.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"

using namespace llvm;
using namespace warpo;

static void tellLimits(const CallTreeBuilder &builder, const CallTreeBuilder::Options &limits) {
  if (uint64_t calls = builder.callsInOther())
    warn(countOf(calls, "call") + " of more than " +
         countOf(limits.maxContexts, "calling context") +
         " counted as (other); --max-contexts=N keeps more, in more memory");
  if (uint64_t calls = builder.callsTooDeep())
    warn(countOf(calls, "call") + " deeper than " + countOf(limits.maxDepth, "level") +
         " counted as (deeper); --max-depth=N keeps more");
}

Expected<ToolResult> warpo::writeProfile(const ProfileRequest &request,
                                         const ReadingOptions &options,
                                         const ProfileOptions &profileOptions) {
  auto backend = warpo::Registry<ProfileBackend>::create(request.format);
  if (!backend)
    return backend.takeError();
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  auto input = RecordInput::open(request.record, options);
  if (!input)
    return input.takeError();
  auto file = OutputFile::create(request.output, request.format, (*backend)->isBinary());
  if (!file)
    return file.takeError();

  CallTreeBuilder::Options limits = profileOptions.limits();
  CallTreeBuilder builder((*input)->functions(), limits);
  auto result = (*input)->slice(builder);
  if (!result)
    return result.takeError();
  Profile profile = makeProfile(builder.tree(), (*input)->functions(), (*input)->scale(),
                                request.title.empty() ? (*input)->title() : request.title);
  auto viewed = views->apply(std::move(profile));
  if (!viewed)
    return viewed.takeError();
  if (Error error = (*backend)->write(*viewed, (*file)->os()))
    return error;
  tellLimits(builder, limits);
  // Before the commit: what --strict refuses leaves no file.
  auto verdict = (*input)->finish();
  if (!verdict)
    return verdict;
  if (Error error = (*file)->commit())
    return error;
  return verdict;
}
