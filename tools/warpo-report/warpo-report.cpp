//===- warpo-report.cpp - A record or profile as a table ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/TableFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/CoverageTool.h"
#include "warpo/Tooling/MixTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsFunctions=*/true);
static ProfileOptions profileOptions;
static DiffOptions diffOptions;

static OptionGroup reports("Reports");

static TextsOption inputs(cl::Positional, inputOption("[record|counts...]"), namesInput());
static TextOption
    moduleFile("module-file",
               inputOption("For counts: the module that was instrumented, or its text", "file"),
               namesInput(), needs("mix"));
static TextOption since(
    "since",
    inputOption("For counts: only what was counted after these counts of the same run", "counts"),
    namesInput(), needs("mix"));
static TextOption output("o", outputOption("The report (default: standard output, -)", "file"),
                         cl::init("-"));
static TextOption formatName("format", outputOption("Format of the report (default: text)", "name"),
                             cl::init("text"));
static FlagOption listFormats("list-formats", outputOption("List the formats of reports"));
static FlagOption tree("tree", reports.option("The call tree"), isAlternative(),
                       excludes({"sort"}).because("a tree has an order of its own"));
static TextsOption callers("callers", reports.option("Callers of the matching functions", "glob"),
                           isAlternative());
static TextsOption callees("callees", reports.option("Callees of the matching functions", "glob"),
                           isAlternative());
static FlagOption topLevel("top-level", reports.option("The outermost functions"), isAlternative());
static NumberOption slowestSlices("slowest-slices",
                                  reports.option("The slowest calls from the host", "n"),
                                  isAlternative(), needs(Need::oneRecord), needs(Need::singleCalls),
                                  needs(Need::calls), lacks(Need::weights), lacks(Need::sums));
static FlagOption heap("heap", reports.option("Heap report: memory, live objects, leaks, errors"),
                       isAlternative(), needs(Need::oneRecord), needs(Need::singleCalls),
                       needs(Need::heap), lacks(Need::weights), lacks(Need::sums),
                       excludes({"sort"}).because("the report has an order of its own"),
                       excludes({"max-depth", "no-time", "phases", "slices", "wall"})
                           .because("heaps are neither calls nor samples"));
static TextOption failOnLeaks("fail-on-leaks",
                              reports.option("Exit code 3 if more bytes stay live (default: 0)",
                                             "bytes"),
                              cl::ValueOptional, needs("heap"),
                              excludes({"from"}).because("what is in use is not known there"));
static TextOption mix("mix",
                      reports.option("For counts: executed instructions by opcode or class, or "
                                     "allocations by type; with --by=function for each function",
                                     "group"),
                      oneOf({"opcode", "class", "type"}), isAlternative(),
                      excludes({"diff"}).because("counts have no times to compare"),
                      excludes({"async",      "calls",
                                "focus",      "fold-recursion",
                                "from",       "hide",
                                "ignore",     "inlines",
                                "invert",     "max-contexts",
                                "max-depth",  "min",
                                "module",     "no-inlines",
                                "no-time",    "one-stack",
                                "per-module", "per-thread",
                                "phases",     "rate",
                                "root",       "samples",
                                "show-kinds", "slicer",
                                "slices",     "subtract-overhead",
                                "time-from",  "to",
                                "wall",       "weight"})
                          .because("counts have neither calls nor times"),
                      excludes({"at", "input-format", "mapping", "places-from", "source-root",
                                "strict", "symbols", "trim-path"})
                          .because("that is for records, not for counts"));
static TextOption sortColumn("sort", viewOption("Sort by this column", "column"));
static TextsOption columns("columns", viewOption("Show only these columns", "names"),
                           cl::CommaSeparated);
static NumberOption
    top("top", viewOption("Number of rows (default: 30; 0: all; a diff in markdown: 10)", "n"),
        cl::init(30));

static ReportKind kindFromOptions() {
  if (tree)
    return ReportKind::tree;
  if (!callers.empty())
    return ReportKind::callers;
  if (!callees.empty())
    return ReportKind::callees;
  if (topLevel)
    return ReportKind::topLevel;
  if (given(slowestSlices))
    return ReportKind::slowestSlices;
  if (heap)
    return ReportKind::heap;
  return given(profileOptions.phases) && profileOptions.phases.empty() ? ReportKind::phases
                                                                       : ReportKind::functions;
}

/// A comment on a pull request has room for few rows and columns.
static bool isForReview() { return diffOptions.isDiff() && formatName == "markdown"; }

/// Output for other programs is cut only on request.
static uint64_t rowsFromOptions() {
  if (top.getNumOccurrences() > 0 || formatName == "text")
    return top;
  return isForReview() ? 10 : 0;
}

static std::vector<std::string> columnsFromOptions() {
  if (columns.empty() && isForReview())
    return {"change", "share", "before", "after"};
  return columns;
}

static Expected<ToolResult> runOnCounts(const ReportRequest &request) {
  if (moduleFile.empty())
    return makeError(inputs.front() +
                     " holds counts, which need the module that was counted: --module-file=");
  if (mix != "opcode" && mix != "class" && mix != "type")
    return makeError("--mix=" + mix + ": unknown (known: opcode, class, type)");
  return writeMix({.module = moduleFile,
                   .since = since,
                   .group = mix,
                   .byFunction = given(profileOptions.by) && profileOptions.by == "function",
                   .renaming = profileOptions.renaming()},
                  request);
}

static Expected<ToolResult> run() {
  if (listFormats)
    return printRegistry<TableFormat>();
  if (auto listed = ProfileReader::list(readingOptions))
    return std::move(*listed);
  if (Error error = checkInputs(inputs))
    return error;
  ReportRequest request{.inputs = inputs,
                        .output = output,
                        .format = formatName,
                        .kind = kindFromOptions(),
                        .functions = callers.empty() ? callees : callers,
                        .slices = slowestSlices,
                        .sort = sortColumn,
                        .columns = columnsFromOptions(),
                        .top = rowsFromOptions()};
  if (given(failOnLeaks)) {
    auto leaks = readAllowedLeaks(failOnLeaks);
    if (!leaks)
      return leaks.takeError();
    request.allowedLeaks = *leaks;
  }
  if (given(mix))
    return runOnCounts(request);
  if (holdsCounts(inputs.front()))
    return makeError(inputs.front() + " holds counts, of which --mix=opcode is a report");
  if (diffOptions.isDiff())
    return writeDiffReport(request, readingOptions, profileOptions, diffOptions);
  return writeReport(request, readingOptions, profileOptions);
}

int main(int argc, char **argv) {
  // This tool's own rule for an option that it shares with others.
  excludes({"mix"})
      .when("{line,file,directory,module}")
      .because("counts are by function or of all")
      .apply(profileOptions.by);
  return toolMain(argc, argv,
                  {.overview = "Reports on records of WebAssembly trace points, or on saved "
                               "profiles: functions, call tree, slow slices, what changed",
                   .examples = "  warpo-report app.warpo\n"
                               "  warpo-report --callers='parse*' --top=10 app.warpo",
                   .page = "docs/reports.md"},
                  run);
}
