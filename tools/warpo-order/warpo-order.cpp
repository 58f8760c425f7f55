//===- warpo-order.cpp - In which order a module's functions should lie ---===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/FunctionOrder.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/KnownValues.h"
#include "warpo/Tooling/OrderTool.h"
#include <type_traits>

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsFunctions=*/false, /*takesSymbols=*/false);

static OptionGroup orders("Order");

static TextsOption inputs(cl::Positional, inputOption("[record...]"), namesInput());
static TextOption module("module-file",
                         inputOption("The original module, before it was instrumented", "file"),
                         namesInput());
static TextOption output("o", outputOption("The order (default: standard output, -)", "file"),
                         cl::init("-"));
static TextOption orderName("order", orders.option("How to order (default: first)", "name"),
                            cl::init("first"));
static FlagOption listOrders("list-orders", orders.option("List the ways to order"));
static TextOption formatName("format", outputOption("What to write (default: names)", "name"),
                             cl::init("names"));
static FlagOption listFormats("list-formats", outputOption("List the formats of orders"));
static TextsOption weights("weight-of",
                           inputOption("Count this input as N runs (may be repeated)", "input=N"));
static FlagOption eachStream("each-stream",
                             inputOption("Make each stream of a record a run of its own"));
static TextOption cost("cost",
                       orders.option("The weight for 'hot' (default: fuel, else time)", "weight"));

enum class Symbols { wasm2c, raw };
static cl::opt<Symbols>
    symbols("symbols", outputOption("Native symbols of linkers' files (default: wasm2c)"),
            choices({clEnumValN(Symbols::wasm2c, "wasm2c", "as wasm2c 1.0.32 names functions"),
                     clEnumValN(Symbols::raw, "raw", "as the module names them")}),
            cl::init(Symbols::wasm2c));

static TextOption llvmMapping("llvm-mapping",
                              inputOption("The file from -orderfile-write-mapping; inputs are "
                                          "dumps of LLVM's order file instrumentation",
                                          "file"),
                              namesInput());
static cl::opt<unsigned> evaluate(
    "evaluate",
    orders.option("Measure the order instead: split the runs into N groups, order with all but "
                  "one, measure that one; prints a table, in a --format of warpo-report",
                  "N"),
    isAlternative());
static FlagOption
    dump("dump", orders.option("Write the first executions of each stream of a record or dump"),
         isAlternative());
static FlagOption escapeNames("escape-names",
                              outputOption("For keep-funcs and split-manifest: escape names as "
                                           "Binaryen's text does (releases before mid-2026)"));

enum class CharKind { native, hasSign, hasNone };
static cl::opt<CharKind>
    charKind("char", outputOption("For wasm-split: the signedness of C++'s char where it runs"),
             choices({clEnumValN(CharKind::native, "native", "as on this machine (default)"),
                      clEnumValN(CharKind::hasSign, "signed", "as on x86, and on Apple's ARM"),
                      clEnumValN(CharKind::hasNone, "unsigned", "as on Linux on ARM")}),
             cl::init(CharKind::native));

static bool isCharUnsigned() {
  return charKind == CharKind::native ? std::is_unsigned_v<char> : charKind == CharKind::hasNone;
}

static Expected<ToolResult> run() {
  if (listOrders)
    return printRegistry<FunctionOrder>();
  if (listFormats)
    return printRegistry<OrderFile>();
  if (auto listed = readingOptions.list())
    return std::move(*listed);
  if (Error error = checkInputs(inputs))
    return error;
  if (module.empty() && !dump)
    return makeError("no module is given (--module-file=app.wasm)");
  OrderRequest request{.inputs = inputs,
                       .llvmMapping = llvmMapping,
                       .module = module,
                       .weights = weights,
                       .eachStream = eachStream,
                       .order = orderName,
                       .cost = cost,
                       .format = formatName,
                       .output = output};
  request.fileOptions.wasm2cSymbols = symbols == Symbols::wasm2c;
  request.fileOptions.escapeNames = escapeNames;
  request.fileOptions.unsignedChar = isCharUnsigned();
  if (dump)
    return dumpExecutions(request, readingOptions);
  if (evaluate.getNumOccurrences() == 0)
    return writeOrder(request, readingOptions);
  if (formatName.getNumOccurrences() == 0)
    request.format = "text";
  return writeEvaluation(request, evaluate, readingOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Computes an order of a WebAssembly module's functions from records "
                               "of its runs, for tools that lay out code",
                   .examples = "  warpo-order --module-file=app.wasm app.warpo -o app.order\n"
                               "  warpo-order --module-file=app.wasm --order=hot app.warpo",
                   .page = "docs/order.md"},
                  run);
}
