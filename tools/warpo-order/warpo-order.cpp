//===- warpo-order.cpp - In which order a module's functions should lie ---===//

#include "warpo/Order/FunctionOrder.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/OrderTool.h"
#include <type_traits>

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsKinds=*/false);

static cl::list<std::string> inputs(cl::Positional, cl::desc("[record...]"),
                                    cl::cat(toolOptions()));
static cl::opt<std::string> module("module-file",
                                   cl::desc("The module, as it was before instrumenting"),
                                   cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("The order (default: standard output, -)"),
                                   cl::value_desc("file"), cl::init("-"), cl::cat(toolOptions()));
static cl::opt<std::string> orderName("order", cl::desc("How to order (default: first)"),
                                      cl::value_desc("name"), cl::init("first"),
                                      cl::cat(toolOptions()));
static cl::opt<bool> listOrders("list-orders", cl::desc("List the ways to order"),
                                cl::cat(toolOptions()));
static cl::opt<std::string> formatName("format", cl::desc("What to write (default: names)"),
                                       cl::value_desc("name"), cl::init("names"),
                                       cl::cat(toolOptions()));
static cl::opt<bool> listFormats("list-formats", cl::desc("List what an order can be written as"),
                                 cl::cat(toolOptions()));
static cl::list<std::string> weights("weight-of",
                                     cl::desc("Count that input as N runs (may be repeated)"),
                                     cl::value_desc("input=N"), cl::cat(toolOptions()));
static cl::opt<bool> eachStream("each-stream",
                                cl::desc("Make each stream of a record a run of its own"),
                                cl::cat(toolOptions()));
static cl::opt<std::string> cost("cost", cl::desc("What 'hot' looks at (default: fuel, else time)"),
                                 cl::value_desc("weight"), cl::cat(toolOptions()));

enum class Symbols { wasm2c, raw };
static cl::opt<Symbols>
    symbols("symbols", cl::desc("Native symbols of linkers' files (default: wasm2c)"),
            cl::values(clEnumValN(Symbols::wasm2c, "wasm2c", "as wasm2c 1.0.32 names functions"),
                       clEnumValN(Symbols::raw, "raw", "as the module names them")),
            cl::init(Symbols::wasm2c), cl::cat(toolOptions()));

static cl::opt<std::string>
    llvmMapping("llvm-mapping",
                cl::desc("The inputs are dumps of LLVM's order file instrumentation; this is what "
                         "-orderfile-write-mapping wrote"),
                cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<unsigned> evaluate(
    "evaluate",
    cl::desc("Measure the order instead: deal the runs out over N groups, order with all but one, "
             "measure that one; a table, in a --format of warpo-report"),
    cl::value_desc("N"), cl::cat(toolOptions()));
static cl::opt<bool> dump("dump", cl::desc("Write what each stream of a record or dump ran first"),
                          cl::cat(toolOptions()));
static cl::opt<bool> escapeNames("escape-names",
                                 cl::desc("For keep-funcs and split-manifest: escape names as "
                                          "Binaryen's text does (releases before mid-2026)"),
                                 cl::cat(toolOptions()));

enum class CharKind { native, hasSign, hasNone };
static cl::opt<CharKind>
    charKind("char", cl::desc("For wasm-split: whether C++'s char has a sign where that runs"),
             cl::values(clEnumValN(CharKind::native, "native", "as on this machine (default)"),
                        clEnumValN(CharKind::hasSign, "signed", "as on x86, and on Apple's ARM"),
                        clEnumValN(CharKind::hasNone, "unsigned", "as on Linux on ARM")),
             cl::init(CharKind::native), cl::cat(toolOptions()));

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
  if (inputs.empty())
    return makeError("no record is given (a file, or - for standard input)");
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
                               "of its runs, for tools that lay out code"},
                  run);
}
