//===- AnnotateTool.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/AnnotateTool.h"
#include "../common/FormatHint.h"
#include "../common/TerminalStyle.h"
#include "../reading/CodeListing.h"
#include "../reading/SourceTexts.h"
#include "warpo/Profile/SavedProfile.h"
#include "warpo/Report/AnnotationFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/Gunzip.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Tooling/ProfileInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace warpo;

static Expected<bool> isInput(StringRef argument) {
  if (argument == "-")
    return true;
  if (!sys::fs::is_regular_file(argument))
    return false;
  auto stream = openGunzipped(argument);
  if (!stream)
    return stream.takeError();
  auto saved = findProfileFormat(**stream);
  if (!saved)
    return saved.takeError();
  if (saved->first)
    return true;
  auto start = (*stream)->window(RecordFormat::sniffSize);
  return start ? isRecord(*start) : start.takeError();
}

/// Fails for views without lines, or with misleading ones.
static Error checkViews(const ProfileOptions &options) {
  if (given(options.by))
    return makeError("--by=" + options.by + ": source is annotated by line");
  if (options.invert)
    return makeError("--invert: source is annotated by what its lines call, not by their callers");
  return Error::success();
}

static void reportLines(const Profile &profile) {
  bool haveLines =
      any_of(profile.functions, [](const ProfileFunction &each) { return each.executedLine; });
  // In a trace, these are lines of calls.
  if (haveLines && profile.isSampled())
    return;
  note(profile.title + " does not say which lines were executed: the " +
       (haveLines ? "self weight" : "weight") +
       " of functions is shown where they begin; to sample lines: warpo-instrument "
       "--instrumentation=sample --stack=engine app.wasm -o sampled.wasm; warpo-run "
       "--record=sampled.warpo sampled.wasm (docs/recording.md)");
}

Expected<ToolResult> warpo::writeAnnotation(const AnnotateRequest &request,
                                            const ReadingOptions &options,
                                            const ProfileOptions &profileOptions) {
  auto format = createFormat<AnnotationFormat>(request.format);
  if (!format)
    return format.takeError();
  if (Error error = checkViews(profileOptions))
    return error;
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  auto file = OutputFile::create(request.output);
  if (!file)
    return file.takeError();
  std::vector<std::string> inputs{request.arguments.front()};
  AnnotationRequest wanted = request.annotation;
  for (const std::string &argument : ArrayRef(request.arguments).drop_front()) {
    auto isRecord = isInput(argument);
    if (!isRecord)
      return isRecord.takeError();
    (*isRecord ? inputs : wanted.wanted).push_back(argument);
  }
  if (Error error = checkInputs(inputs))
    return error;
  ProfileSource source = profileOptions.source();
  source.showsLines = true;
  ProfileReader reader(options, source);
  auto profile = reader.readMerged(inputs);
  if (!profile)
    return profile.takeError();
  auto viewed = views->apply(std::move(*profile));
  if (!viewed)
    return viewed.takeError();
  std::optional<CodeListing> code;
  if (!request.module.empty()) {
    auto read = CodeListing::read(request.module, options.sourcePaths());
    if (!read)
      return read.takeError();
    code = std::move(*read);
    if (code->empty())
      note(request.module + " does not say which lines its code comes from, and none is shown: "
                            "--asm needs the module with debug information (-g) that was "
                            "instrumented");
    wanted.codeOf = [&](StringRef file, uint32_t line) { return code->of(file, line); };
  }
  SourceFiles files;
  std::vector<std::string> modules(options.placesFrom->begin(), options.placesFrom->end());
  if (!request.module.empty())
    modules.push_back(request.module);
  for (const std::string &module : modules)
    provideSources(module, options.sourcePaths(), files);
  auto annotation = annotate(*viewed, wanted, files);
  if (!annotation)
    return annotation.takeError();
  reportLines(*viewed);
  (*format)->write(*annotation, styleFor(request.output), (*file)->os());
  if (Error error = (*file)->commit())
    return error;
  return reader.result();
}
