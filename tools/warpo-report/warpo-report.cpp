//===- warpo-report.cpp - A record or profile as a table ------------------===//

#include "warpo/Report/TableFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ReportTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsKinds=*/true);
static ProfileOptions profileOptions;
static DiffOptions diffOptions;

static cl::list<std::string> inputs(cl::Positional, cl::desc("[record...]"),
                                    cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("The report (default: standard output, -)"),
                                   cl::value_desc("file"), cl::init("-"), cl::cat(toolOptions()));
static cl::opt<std::string> formatName("format", cl::desc("Format of the report (default: text)"),
                                       cl::value_desc("name"), cl::init("text"),
                                       cl::cat(toolOptions()));
static cl::opt<bool> listFormats("list-formats", cl::desc("List the formats of reports"),
                                 cl::cat(toolOptions()));
static cl::opt<bool> tree("tree", cl::desc("The call tree"), cl::cat(toolOptions()));
static cl::list<std::string> callers("callers", cl::desc("Who calls such functions"),
                                     cl::value_desc("glob"), cl::cat(toolOptions()));
static cl::list<std::string> callees("callees", cl::desc("Whom such functions call"),
                                     cl::value_desc("glob"), cl::cat(toolOptions()));
static cl::opt<bool> topLevel("top-level", cl::desc("The outermost functions"),
                              cl::cat(toolOptions()));
static cl::opt<uint64_t> slowestSlices("slowest-slices",
                                       cl::desc("The calls from the host that took longest"),
                                       cl::value_desc("n"), cl::cat(toolOptions()));
static cl::opt<std::string> sortColumn("sort", cl::desc("Sort by this column"),
                                       cl::value_desc("column"), cl::cat(toolOptions()));
static cl::list<std::string> columns("columns", cl::desc("Show only these columns"),
                                     cl::value_desc("names"), cl::CommaSeparated,
                                     cl::cat(toolOptions()));
static cl::opt<uint64_t> top("top", cl::desc("Show so many rows (default: 30; 0: all)"),
                             cl::value_desc("n"), cl::init(30), cl::cat(toolOptions()));

static Expected<ReportKind> kindFromOptions() {
  bool phases = profileOptions.phases.getNumOccurrences() > 0 && profileOptions.phases.empty();
  const std::pair<bool, ReportKind> kinds[] = {
      {tree, ReportKind::tree},
      {!callers.empty(), ReportKind::callers},
      {!callees.empty(), ReportKind::callees},
      {topLevel, ReportKind::topLevel},
      {slowestSlices.getNumOccurrences() > 0, ReportKind::slowestSlices},
      {phases, ReportKind::phases},
  };
  ReportKind kind = ReportKind::functions;
  unsigned given = diffOptions.isDiff();
  for (auto [isGiven, itsKind] : kinds) {
    given += isGiven;
    if (isGiven)
      kind = itsKind;
  }
  if (profileOptions.phases.getNumOccurrences() > 1)
    return makeError("--phases is a report, --phases=roots a view of others: one of them, once");
  if (given > 1)
    return makeError("--tree, --callers, --callees, --top-level, --slowest-slices, --phases and "
                     "--diff are reports of their own: one at a time");
  return kind;
}

static Expected<ToolResult> run() {
  if (listFormats)
    return printRegistry<TableFormat>();
  if (auto listed = ProfileReader::list(readingOptions))
    return std::move(*listed);
  if (inputs.empty())
    return makeError("no record is given (a file, or - for standard input)");
  auto kind = kindFromOptions();
  if (!kind)
    return kind.takeError();
  // What a program reads is not cut unasked.
  uint64_t rows = top.getNumOccurrences() > 0 || formatName == "text" ? top.getValue() : 0;
  if (Error error = diffOptions.check(profileOptions))
    return error;
  ReportRequest request{.inputs = inputs,
                        .output = output,
                        .format = formatName,
                        .kind = *kind,
                        .functions = callers.empty() ? callees : callers,
                        .slices = slowestSlices,
                        .sort = sortColumn,
                        .columns = columns,
                        .top = rows};
  if (diffOptions.isDiff())
    return writeDiffReport(request, readingOptions, profileOptions, diffOptions);
  return writeReport(request, readingOptions, profileOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Reports on records of WebAssembly trace points, or on saved "
                               "profiles: functions, call tree, slow slices, what changed"},
                  run);
}
