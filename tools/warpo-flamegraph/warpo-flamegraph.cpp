//===- warpo-flamegraph.cpp - A record as a profile -----------------------===//

#include "warpo/Output/DiffBackend.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/DiffTool.h"
#include "warpo/Tooling/ProfileInput.h"
#include "warpo/Tooling/ProfileTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsKinds=*/true);
static ProfileOptions profileOptions;
static DiffOptions diffOptions;

static cl::list<std::string> inputs(cl::Positional, cl::desc("[record]..."),
                                    cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("The profile (default: standard output, -)"),
                                   cl::value_desc("file"), cl::init("-"), cl::cat(toolOptions()));
static cl::opt<std::string> formatName("format", cl::desc("Format of the profile (default: svg)"),
                                       cl::value_desc("name"), cl::init("svg"),
                                       cl::cat(toolOptions()));
static cl::opt<bool> listFormats("list-formats", cl::desc("List the formats of profiles"),
                                 cl::cat(toolOptions()));
static cl::opt<bool> icicle("icicle",
                            cl::desc("Outermost calls at the top, as in --format-option=grow=down "
                                     "(svg has it so by default)"),
                            cl::cat(toolOptions()));
static cl::list<std::string> formatOptions("format-option",
                                           cl::desc("An option of the format, see --list-formats"),
                                           cl::value_desc("name[=value]"), cl::cat(toolOptions()));
static cl::opt<bool> timeOrder("time-order",
                               cl::desc("A flame chart: calls in the order of time, none merged"),
                               cl::cat(toolOptions()));
static cl::opt<std::string> title("title", cl::desc("Title (default: the name of the record)"),
                                  cl::value_desc("text"), cl::cat(toolOptions()));

static Expected<ToolResult> run() {
  if (listFormats)
    return diffOptions.isDiff() ? printRegistry<DiffBackend>() : printRegistry<ProfileBackend>();
  if (auto listed = ProfileReader::list(readingOptions))
    return std::move(*listed);
  if (inputs.empty())
    return makeError("no record is given (a file, or - for standard input)");
  if (Error error = diffOptions.check(profileOptions))
    return error;
  if (icicle)
    formatOptions.push_back("grow=down");
  if (diffOptions.isDiff() && timeOrder)
    return makeError("--time-order and --diff exclude each other");
  if (diffOptions.isDiff() && !formatOptions.empty())
    return makeError("--format-option and --diff exclude each other");
  if (diffOptions.isDiff())
    return writeDiff({.inputs = inputs, .output = output, .format = formatName, .title = title},
                     readingOptions, profileOptions, diffOptions);
  ProfileRequest request{.inputs = inputs,
                         .output = output,
                         .format = formatName,
                         .formatOptions = formatOptions,
                         .title = title};
  return timeOrder ? writeTimeOrdered(request, readingOptions, profileOptions)
                   : writeProfile(request, readingOptions, profileOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Folds a record of WebAssembly trace points into a profile: a flame "
                               "graph, collapsed stacks, a call tree"},
                  run);
}
