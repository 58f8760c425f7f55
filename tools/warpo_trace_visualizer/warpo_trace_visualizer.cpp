//===- warpo_trace_visualizer.cpp - A record as a timeline ----------------===//

#include "warpo/Support/Errors.h"
#include "warpo/Tooling/TimelineTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsKinds=*/true);

static cl::list<std::string> recordPaths(cl::Positional, cl::desc("[record...]"),
                                         cl::cat(toolOptions()));
static cl::opt<std::string> recordOption("trace-point-record-file", cl::Hidden,
                                         cl::desc("The record; - is standard input"),
                                         cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("The timeline; - is standard output"),
                                   cl::value_desc("file"), cl::cat(toolOptions()));
static cl::alias outputLong("output-pftrace-file", cl::desc("The same as -o"), cl::aliasopt(output),
                            cl::cat(toolOptions()));
static cl::opt<std::string> formatName("format",
                                       cl::desc("Format of the timeline (default: perfetto)"),
                                       cl::value_desc("name"), cl::init("perfetto"),
                                       cl::cat(toolOptions()));
static cl::opt<bool> listFormats("list-formats", cl::desc("List the formats of timelines"),
                                 cl::cat(toolOptions()));
static cl::opt<uint64_t> maxSliceCount("max-slice-count",
                                       cl::desc("Stop after so many calls from the host"),
                                       cl::value_desc("n"), cl::cat(toolOptions()));
static cl::opt<bool> demangle("demangle", cl::desc("Names of C++ and Rust as in their source"),
                              cl::cat(toolOptions()));
static cl::opt<bool> compress("compress", cl::desc("Compress the timeline, for formats that can"),
                              cl::cat(toolOptions()));
static cl::opt<uint64_t>
    chunkEvents("chunk-events",
                cl::desc("Make pieces that can be loaded alone of so many events (default: where "
                         "it costs less than 2 % of the size)"),
                cl::value_desc("n"), cl::cat(toolOptions()));

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
  if (recordPaths.empty())
    return makeError("no record is given (a file, or - for standard input)");
  if (output.empty())
    return makeError("no output is given (-o with a file, or - for standard output)");
  return writeTimeline({.records = recordPaths,
                        .output = output,
                        .format = formatName,
                        .options = {.compress = compress, .chunkEvents = chunkEvents},
                        .maxSlices = maxSliceCount,
                        .demangle = demangle},
                       readingOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Turns a record of WebAssembly trace points into a timeline, for "
                               "ui.perfetto.dev and others"},
                  run);
}
