//===- warpo_trace_visualizer.cpp - A record as a timeline ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Errors.h"
#include "warpo/Tooling/TimelineTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsFunctions=*/true);
static CallOptions callOptions;
static LinkOptions linkOptions;
static LabelOptions labelOptions;

static TextsOption recordPaths(cl::Positional, inputOption("[record...]"), namesInput());
static TextOption recordOption("trace-point-record-file", cl::Hidden,
                               inputOption("The record; - is standard input", "file"),
                               namesInput());
static TextOption output("o", outputOption("The timeline; - is standard output", "file"));
static cl::alias outputLong("output-pftrace-file", outputOption("The same as -o"),
                            cl::aliasopt(output));
static TextOption formatName("format",
                             outputOption("Format of the timeline (default: perfetto)", "name"),
                             cl::init("perfetto"));
static FlagOption listFormats("list-formats", outputOption("List the formats of timelines"));
static NumberOption maxSliceCount("max-slice-count",
                                  viewOption("Stop after this many calls from the host", "n"),
                                  lacks(Need::wholeRecord));
static FlagOption demangle("demangle", cl::Hidden, cl::init(true),
                           outputOption("Names of C++ and Rust as in their source, as always"));
static FlagOption compress("compress", outputOption("Compress the timeline, for formats that can"));
static NumberOption chunkEvents("chunk-events",
                                outputOption("Events in each piece that can be loaded alone "
                                             "(default: as few as cost less than 2 % of the size)",
                                             "n"));

static Expected<ToolResult> run() {
  if (listFormats)
    return printRegistry<TimelineBackend>();
  if (auto listed = readingOptions.list())
    return std::move(*listed);
  if (!recordPaths.empty() && !recordOption.empty())
    return makeError("two records are given: " + recordPaths.front() + " and " + recordOption +
                     " (several are given without --trace-point-record-file)");
  if (!recordOption.empty())
    recordPaths.push_back(recordOption);
  if (Error error = checkInputs(recordPaths))
    return error;
  if (output.empty())
    return makeError("no output is given (-o with a file, or - for standard output)");
  if (Error error = callOptions.check())
    return error;
  auto sourceUrl = linkOptions.url();
  if (!sourceUrl)
    return sourceUrl.takeError();
  auto labels = labelOptions.labels();
  if (!labels)
    return labels.takeError();
  return writeTimeline({.records = recordPaths,
                        .output = output,
                        .format = formatName,
                        .options = {.compress = compress, .chunkEvents = chunkEvents},
                        .maxSlices = maxSliceCount,
                        .renaming = demangle ? callOptions.renaming() : nullptr,
                        .view = {.maxDepth = callOptions.maxDepth,
                                 .dropsDeeper = callOptions.maxDepthDrop,
                                 .phaseRoots = callOptions.phaseRoots()},
                        .sourceUrl = std::move(*sourceUrl),
                        .labels = std::move(*labels)},
                       readingOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Turns a record of WebAssembly trace points into a timeline, for "
                               "ui.perfetto.dev and others",
                   .examples =
                       "  warpo_trace_visualizer app.warpo -o app.pftrace\n"
                       "  warpo_trace_visualizer --from=10ms --to=20ms app.warpo -o x.pftrace",
                   .page = "docs/formats.md"},
                  run);
}
