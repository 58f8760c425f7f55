//===- warpo-annotate.cpp - Source, with what its lines took --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/AnnotationFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/AnnotateTool.h"
#include "warpo/Tooling/CoverageTool.h"
#include "warpo/Tooling/ProfileInput.h"
#include "warpo/Tooling/TracedCalls.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsFunctions=*/true);
static ProfileOptions profileOptions;

static TextsOption arguments(cl::Positional,
                             inputOption("record|counts [record | function | file]..."),
                             namesInput());
static TextOption output("o", outputOption("The annotation (default: standard output, -)", "file"),
                         cl::init("-"));
static TextOption formatName(
    "format",
    outputOption(
        "Format (default: text; for counts summary, unless options ask for source); for counts "
        "also those of warpo-flamegraph",
        "name"));
static FlagOption listFormats("list-formats",
                              outputOption("List the formats of annotations, and of counts"));
static NumberOption
    top("top", viewOption("Number of functions if none are named (default: 5; 0: all)", "n"),
        cl::init(5));
static FlagOption assembly("asm", viewOption("Show the instructions of each line"),
                           needs("module-file"));
static TextOption moduleFile("module-file",
                             inputOption("The module that was instrumented, or its text", "file"),
                             namesInput());
static TextOption since(
    "since",
    inputOption("For counts: only what was counted after these counts of the same run", "counts"),
    namesInput());
static TextOption
    trace("trace",
          inputOption("For sample profiles of counts: a record with the targets of indirect calls",
                      "record"),
          namesInput());
static FlagOption noBranches("no-branches", viewOption("For counts: show no branches"));
static TextOption failBelow("fail-below",
                            outputOption("For counts: exit code 3 if fewer lines were executed",
                                         "share"));
static TextOption
    dead("dead",
         outputOption("For counts: functions of the source that are not in the module are listed "
                      "separately (apart), or count as not executed, without lines (uncovered)",
                      "how"),
         cl::init("apart"));
static cl::opt<uint32_t>
    context("context",
            viewOption("Show this many lines around each line with weight (default: 3)", "n"),
            cl::init(3));

/// Only formats that show source have these options.
static const cl::Option *const sourceOptions[] = {&assembly, &context, &top};

static Error checkUse(ArrayRef<const cl::Option *> options, const Twine &where) {
  for (const cl::Option *option : options)
    if (option->getNumOccurrences())
      return makeError("--" + option->ArgStr + " needs " + where);
  return Error::success();
}

static bool asksForSource() {
  return any_of(sourceOptions, [](const cl::Option *each) { return each->getNumOccurrences(); });
}

static Error checkUseOfCounts(StringRef format) {
  for (Need lacking : {Need::weights, Need::clock, Need::singleCalls, Need::sums, Need::calls,
                       Need::samples, Need::recordingCost})
    if (Error error = checkNeeds(lacking, arguments.front() + " holds counts"))
      return error;
  if (Error error =
          checkUse({&readingOptions.mapping, std::addressof(*readingOptions.symbols),
                    std::addressof(*readingOptions.placesFrom), &*readingOptions.noInlines},
                   "records; " + arguments.front() + " holds counts"))
    return error;
  auto annotations = warpo::Registry<AnnotationFormat>::entries();
  if (!annotations)
    return annotations.takeError();
  if (any_of(*annotations, [&](const RegistryEntryInfo &each) { return each.name == format; }))
    return Error::success();
  return checkUse(sourceOptions,
                  "formats that show source, as text and html; the format is " + format);
}

static Expected<ToolResult> runOnCounts() {
  if (moduleFile.empty())
    return makeError(arguments.front() +
                     " holds counts, which are shown in the module that was counted: "
                     "--module-file=");
  if (dead != "apart" && dead != "uncovered")
    return makeError("--dead=" + dead + ": apart or uncovered");
  std::string format = given(formatName).value_or(asksForSource() ? "text" : "summary");
  if (Error error = checkUseOfCounts(format))
    return error;
  CoverageRequest request{.counts = arguments,
                          .since = since,
                          .readTrace = traceReader(trace, &readingOptions),
                          .module = moduleFile,
                          .output = output,
                          .format = format,
                          .paths = readingOptions.sourcePaths(),
                          .showsBranches = !noBranches,
                          .countsDropped = dead == "uncovered",
                          .failBelow = {},
                          .annotation = {.functions = top, .context = context},
                          .assembly = assembly};
  if (given(failBelow)) {
    auto share = parseShare(failBelow, failBelow.ArgStr);
    if (!share)
      return share.takeError();
    request.failBelow = *share * 100;
  }
  return writeCoverage(request);
}

// A module is only given with --asm or counts.
static bool areCounts() {
  return holdsCounts(arguments.front()) || (given(moduleFile) && !assembly);
}

static Expected<ToolResult> run() {
  if (listFormats) {
    if (auto listed = printRegistry<AnnotationFormat>(); !listed)
      return listed;
    return printRegistry<CoverageFormat>();
  }
  if (auto listed = ProfileReader::list(readingOptions))
    return std::move(*listed);
  if (arguments.empty())
    return checkInputs({});
  if (areCounts())
    return runOnCounts();
  if (Error error = checkUse({&since, &trace, &noBranches, &failBelow, &dead}, "counts"))
    return error;
  return writeAnnotation({.arguments = arguments,
                          .output = output,
                          .format = given(formatName).value_or("text"),
                          .annotation = {.functions = top, .context = context},
                          .module = assembly ? moduleFile.getValue() : ""},
                         readingOptions, profileOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Shows source code with the weight of each line, from samples that "
                               "know their lines; for other records the weight of functions where "
                               "they begin; for counts what was executed",
                   .examples = "  warpo-annotate app.warpo\n"
                               "  warpo-annotate --format=html app.warpo -o app.html",
                   .page = "docs/reports.md, docs/counts.md"},
                  run);
}
