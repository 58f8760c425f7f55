//===- warpo-flamegraph.cpp - A record as a profile -----------------------===//

#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ProfileTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions;

static cl::opt<std::string> recordPath(cl::Positional, cl::desc("[record]"),
                                       cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("The profile (default: standard output, -)"),
                                   cl::value_desc("file"), cl::init("-"), cl::cat(toolOptions()));
static cl::opt<std::string> formatName("format", cl::desc("Format of the profile (default: svg)"),
                                       cl::value_desc("name"), cl::init("svg"),
                                       cl::cat(toolOptions()));
static cl::opt<bool> listFormats("list-formats", cl::desc("List the formats of profiles"),
                                 cl::cat(toolOptions()));
static cl::opt<std::string> weight("weight",
                                   cl::desc("What to show: time (default), calls, or what else "
                                            "the record names"),
                                   cl::value_desc("name"), cl::cat(toolOptions()));
static cl::opt<bool> noTime("no-time",
                            cl::desc("Show calls and no time: the same output on each run"),
                            cl::cat(toolOptions()));
static cl::opt<std::string> title("title", cl::desc("Title (default: the name of the record)"),
                                  cl::value_desc("text"), cl::cat(toolOptions()));
static cl::opt<uint32_t> maxContexts(
    "max-contexts", cl::desc("Count further calling contexts as (other) (default: 1000000)"),
    cl::value_desc("n"), cl::init(CallTreeBuilder::Options().maxContexts), cl::cat(toolOptions()));
static cl::opt<uint32_t> maxDepth("max-depth",
                                  cl::desc("Count deeper calls as (deeper) (default: 1000)"),
                                  cl::value_desc("n"),
                                  cl::init(CallTreeBuilder::Options().maxDepth),
                                  cl::cat(toolOptions()));

static Expected<ToolResult> run() {
  if (listFormats)
    return printRegistry<ProfileBackend>();
  if (auto listed = readingOptions.list())
    return std::move(*listed);
  if (recordPath.empty())
    return makeError("no record is given (a file, or - for standard input)");
  if (noTime && weight == "time")
    return makeError("--no-time and --weight=time exclude each other");
  return writeProfile({.record = recordPath,
                       .output = output,
                       .format = formatName,
                       .weight = weight,
                       .withTime = !noTime,
                       .title = title,
                       .limits = {.maxContexts = maxContexts, .maxDepth = maxDepth}},
                      readingOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Folds a record of WebAssembly trace points into a profile: a flame "
                               "graph, collapsed stacks, a call tree"},
                  run);
}
