//===- warpo-reorder.cpp - Puts a module's functions into an order --------===//

#include "warpo/Reorder/ReorderJob.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

static cl::opt<std::string> input(cl::Positional, cl::desc("<in.wasm or in.wat>"), cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("The reordered module, or -"),
                                   cl::value_desc("out.wasm"), cl::cat(toolOptions()));
static cl::opt<std::string> order("order", cl::desc("The functions that come first, one a line"),
                                  cl::value_desc("list"), cl::cat(toolOptions()));
static cl::opt<std::string> startup("startup",
                                    cl::desc("Measure the functions of this list (default: the "
                                             "order)"),
                                    cl::value_desc("list"), cl::cat(toolOptions()));
static cl::opt<bool> hints("hints", cl::desc("Tell engines to compile in that order, by hints"),
                           cl::cat(toolOptions()));
static cl::opt<bool> keepDebug("keep-debug",
                               cl::desc("Keep debug information, of the old code (.debug_*)"),
                               cl::cat(toolOptions()));
static cl::opt<std::string> sourceMap("source-map",
                                      cl::desc("Source map of the input (default: as it says)"),
                                      cl::value_desc("in.map"), cl::cat(toolOptions()));
static cl::opt<std::string> outputSourceMap("output-source-map",
                                            cl::desc("Write a source map of the result"),
                                            cl::value_desc("out.map"), cl::cat(toolOptions()));
static cl::opt<bool> quiet("q", cl::desc("Print no summary"), cl::cat(toolOptions()));

static Expected<ToolResult> run() {
  for (const auto &[option, what] :
       {std::pair(&input, "an input file"), std::pair(&output, "-o"), std::pair(&order, "--order")})
    if (option->empty())
      return makeError(Twine(what) + " is missing");
  auto result = runReorderJob({.keepDebug = keepDebug,
                               .hints = hints,
                               .measure = !quiet,
                               .input = input,
                               .output = output,
                               .order = order,
                               .startup = startup,
                               .sourceMap = sourceMap,
                               .outputSourceMap = outputSourceMap});
  if (!result)
    return result.takeError();
  if (!result->damagedNames.empty())
    warn("the names of the module are dropped, since they are damaged: " + result->damagedNames);
  for (const std::string &problem : result->problems)
    warn(problem);
  if (!quiet)
    for (const std::string &line : summarize(*result))
      note(line);
  return result->problems.empty() ? ToolResult::done : ToolResult::damaged;
}

int main(int argc, char **argv) {
  return toolMain(argc, argv, {"Puts the functions of a WebAssembly module into an order."}, run);
}
