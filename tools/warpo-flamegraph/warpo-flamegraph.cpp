//===- warpo-flamegraph.cpp - A record as a profile -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/DiffBackend.h"
#include "warpo/Tooling/DiffTool.h"
#include "warpo/Tooling/ProfileInput.h"
#include "warpo/Tooling/ProfileTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsFunctions=*/true);
static ProfileOptions profileOptions;
static DiffOptions diffOptions;
static LinkOptions linkOptions;
static LabelOptions labelOptions;

static TextsOption inputs(cl::Positional, inputOption("[record]..."), namesInput());
static TextOption output("o", outputOption("The profile (default: standard output, -)", "file"),
                         cl::init("-"));
static TextOption formatName("format", outputOption("Format of the profile (default: svg)", "name"),
                             cl::init("svg"));
static FlagOption listFormats("list-formats", outputOption("List the formats of profiles"));
static TextsOption formatOptions("format-option",
                                 outputOption("An option of the format, see --list-formats",
                                              "name[=value]"),
                                 excludes({"diff", "time-order"}));
static FlagOption timeOrder("time-order",
                            viewOption("Show a flame chart: calls in time order, not merged"),
                            lacks(Need::sums));
static TextOption
    every("every",
          viewOption(
              "Make a profile of each window of this length, as in 10s, in formats that support it",
              "time"),
          needs(Need::singleCalls), needs(Need::sums),
          excludes({"async", "diff", "phases", "subtract-overhead", "time-from"}));
static TextOption title("title", outputOption("Title (default: the name of the record)", "text"));

static Expected<ToolResult> run() {
  if (listFormats)
    return diffOptions.isDiff() ? printRegistry<DiffBackend>() : printRegistry<ProfileBackend>();
  if (auto listed = ProfileReader::list(readingOptions))
    return std::move(*listed);
  if (Error error = checkInputs(inputs))
    return error;
  if (diffOptions.isDiff())
    return writeDiff({.inputs = inputs, .output = output, .format = formatName, .title = title},
                     readingOptions, profileOptions, diffOptions);
  auto sourceUrl = linkOptions.url();
  if (!sourceUrl)
    return sourceUrl.takeError();
  auto labels = labelOptions.labels();
  if (!labels)
    return labels.takeError();
  Expected<uint64_t> window = given(every) ? parseWindow(every, every.ArgStr) : 0;
  if (!window)
    return window.takeError();
  ProfileRequest request{.inputs = inputs,
                         .output = output,
                         .format = formatName,
                         .formatOptions = formatOptions,
                         .title = title,
                         .sourceUrl = std::move(*sourceUrl),
                         .labels = std::move(*labels),
                         .every = *window};
  return timeOrder ? writeTimeOrdered(request, readingOptions, profileOptions)
                   : writeProfile(request, readingOptions, profileOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Folds a record of WebAssembly trace points into a profile: a flame "
                               "graph, collapsed stacks, a call tree",
                   .examples = "  warpo-flamegraph app.warpo -o app.svg\n"
                               "  warpo-flamegraph --format=folded --focus='parse*' app.warpo",
                   .page = "docs/views.md, docs/formats.md"},
                  run);
}
