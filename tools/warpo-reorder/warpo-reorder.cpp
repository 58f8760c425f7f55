//===- warpo-reorder.cpp - Puts a module's functions into an order --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Reorder/ReorderJob.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/AutoReorder.h"
#include "warpo/Tooling/TracedCalls.h"

using namespace llvm;
using namespace warpo;

static TextOption input(cl::Positional, inputOption("<in.wasm or in.wat>"), namesInput());
static TextOption output("o", outputOption("The reordered module, or -", "out.wasm"));
static TextOption order("order",
                        inputOption("The functions that come first, one on each line", "list"),
                        namesInput());
static TextOption counts("counts",
                         inputOption("Counts of runs, to add hints for branches", "counts"),
                         namesInput());
static TextOption
    trace("trace",
          inputOption("With --hints=freq: a record with the targets of indirect calls", "record"),
          namesInput());
static TextOption startup("startup",
                          inputOption("Measure the functions of this list (default: the "
                                      "order)",
                                      "list"),
                          namesInput());
static TextOption hints("hints",
                        outputOption("Hints to compile functions in order; freq: also how "
                                     "often calls are executed, from --counts (experimental)",
                                     "freq"),
                        cl::ValueOptional, oneOf({"freq"}));
static FlagOption keepDebug("keep-debug",
                            outputOption("Keep the debug information of the old code (.debug_*)"));
static TextOption sourceMap("source-map",
                            inputOption("Source map of the input (default: the one that it names)",
                                        "in.map"),
                            namesInput());
static TextOption outputSourceMap("output-source-map",
                                  outputOption("Write a source map of the result", "out.map"));
static FlagOption quiet("q", outputOption("Print no summary"));
static AutoReorderOptions automatic;

static Expected<ToolResult> run() {
  for (const auto &[option, what] : {std::pair(&input, "an input file"), std::pair(&output, "-o")})
    if (option->empty())
      return makeError(Twine(what) + " is missing");
  if (automatic.automatic)
    return reorderByItself(automatic, input, output, keepDebug, quiet);
  if (order.empty() && counts.empty())
    return makeError("--order, --counts or --auto is missing");
  if (!hints.empty() && hints != "freq")
    return makeError("--hints=" + hints + ": unknown (known: freq)");
  bool frequencies = hints == "freq";
  auto result = runReorderJob({.keepDebug = keepDebug,
                               .hints = given(hints) && !frequencies,
                               .frequencies = frequencies,
                               .measure = !quiet,
                               .input = input,
                               .output = output,
                               .order = order,
                               .counts = counts,
                               .readTrace = traceReader(trace),
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
  return toolMain(argc, argv,
                  {.overview = "Puts the functions of a WebAssembly module into an order.",
                   .examples = "  warpo-reorder --order=app.order app.wasm -o ordered.wasm\n"
                               "  warpo-reorder --auto --train=a.md --test=b.md app.wasm -o "
                               "better.wasm",
                   .page = "docs/order.md, docs/counts.md"},
                  run);
}
