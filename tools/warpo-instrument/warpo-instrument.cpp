//===- warpo-instrument.cpp - Inserts trace points into a module ----------===//

#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

static cl::opt<std::string> input(cl::Positional, cl::desc("<in.wasm or in.wat>"),
                                  cl::cat(toolOptions()));
static cl::opt<std::string> output("o", cl::desc("The instrumented module, or -"),
                                   cl::value_desc("out.wasm"), cl::cat(toolOptions()));
static cl::opt<std::string> mappingFile("trace-point-mapping-file",
                                        cl::desc("Write the ids and names of functions here"),
                                        cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<std::string> mappingJson("append-mapping-json",
                                        cl::desc("Add it to a JSON file of mappings"),
                                        cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<std::string> infoFile("info-file",
                                     cl::desc("Write what became of functions, as JSON"),
                                     cl::value_desc("file"), cl::cat(toolOptions()));
static cl::list<std::string> instrumentations("instrumentation",
                                              cl::desc("What to insert (default: trace)"),
                                              cl::value_desc("names"), cl::CommaSeparated,
                                              cl::cat(toolOptions()));
static cl::opt<bool> listInstrumentations("list-instrumentations",
                                          cl::desc("List what can be inserted, and stop"),
                                          cl::cat(toolOptions()));
static cl::opt<std::string> fuelCosts("fuel-costs",
                                      cl::desc("What instructions cost (default: 1 each)"),
                                      cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<SampleStack>
    stack("stack", cl::desc("Where samples have stacks from (default: shadow)"),
          cl::init(SampleStack::shadow),
          cl::values(clEnumValN(SampleStack::shadow, "shadow", "entries and exits, told the host"),
                     clEnumValN(SampleStack::engine, "engine", "the engine's own stack")),
          cl::cat(toolOptions()));
enum class OrderMemory { globals, exported };
static cl::opt<OrderMemory> orderMemory(
    "order-memory", cl::desc("Where 'order' remembers (default: globals)"),
    cl::init(OrderMemory::globals),
    cl::values(clEnumValN(OrderMemory::globals, "globals", "in globals"),
               clEnumValN(OrderMemory::exported, "export", "in a memory of its own, exported")),
    cl::cat(toolOptions()));
static cl::opt<uint32_t> orderBuffer("order-buffer",
                                     cl::desc("Log 'order' in such a memory: the last N functions"),
                                     cl::value_desc("N"), cl::cat(toolOptions()));
static cl::list<std::string> include("include", cl::desc("Take only functions whose names match"),
                                     cl::value_desc("glob"), cl::cat(toolOptions()));
static cl::list<std::string> exclude("exclude", cl::desc("Leave out functions whose names match"),
                                     cl::value_desc("glob"), cl::cat(toolOptions()));
static cl::opt<bool> all("all", cl::desc("Take library functions (~lib*) too"),
                         cl::cat(toolOptions()));
static cl::opt<uint64_t> minInstructions("min-instructions",
                                         cl::desc("Leave out functions of fewer instructions"),
                                         cl::value_desc("count"), cl::init(0),
                                         cl::cat(toolOptions()));
static cl::opt<bool> noImportThunks("no-import-thunks",
                                    cl::desc("Trace imported functions at their calls, not in "
                                             "functions around them"),
                                    cl::cat(toolOptions()));
static cl::opt<Unwinding> unwinding(
    "unwind", cl::desc("How to record that an exception ends a call (default: auto)"),
    cl::init(Unwinding::automatic),
    cl::values(clEnumValN(Unwinding::automatic, "auto", "in the module's form, else legacy"),
               clEnumValN(Unwinding::legacy, "legacy", "by try, catch_all, rethrow"),
               clEnumValN(Unwinding::exnref, "exnref", "by try_table, throw_ref"),
               clEnumValN(Unwinding::none, "none", "not, for engines without exceptions")),
    cl::cat(toolOptions()));
static cl::opt<std::string> moduleId("module-id",
                                     cl::desc("Its id in records (default: from a hash)"),
                                     cl::value_desc("number"), cl::cat(toolOptions()));
static cl::opt<bool> keepDebug("keep-debug",
                               cl::desc("Keep debug information, of the old code (.debug_*)"),
                               cl::cat(toolOptions()));
static cl::opt<std::string> sourceMap("source-map",
                                      cl::desc("Source map of the input (default: as it says)"),
                                      cl::value_desc("in.map"), cl::cat(toolOptions()));
static cl::opt<std::string> outputSourceMap("output-source-map",
                                            cl::desc("Write a source map of the result"),
                                            cl::value_desc("out.map"), cl::cat(toolOptions()));
static cl::opt<std::string> optimize("O", cl::Prefix, cl::ValueOptional,
                                     cl::desc("Optimise with Binaryen: 0 to 4, s, z"),
                                     cl::value_desc("level"), cl::cat(toolOptions()));
static cl::opt<bool> validate("validate", cl::desc("Let Binaryen check the result"),
                              cl::cat(toolOptions()));
static cl::opt<bool> asText("S", cl::desc("Write text (.wat)"), cl::cat(toolOptions()));
static cl::opt<bool> quiet("q", cl::desc("Print no summary"), cl::cat(toolOptions()));

static Expected<InstrumentJob> jobFromOptions() {
  for (const auto &[option, what] : {std::pair(&input, "an input file"), std::pair(&output, "-o"),
                                     std::pair(&mappingFile, "--trace-point-mapping-file")})
    if (option->empty())
      return makeError(Twine(what) + " is missing");
  InstrumentJob job;
  job.input = input;
  job.output = output;
  job.mappingFile = mappingFile;
  job.mappingJson = mappingJson;
  job.infoFile = infoFile;
  job.sourceMap = sourceMap;
  job.outputSourceMap = outputSourceMap;
  if (!instrumentations.empty())
    job.options.instrumentations = instrumentations;
  InstrumentationSettings &settings = job.options.settings;
  if (stack.getNumOccurrences())
    settings.sampleStack = stack;
  if (orderMemory.getNumOccurrences())
    settings.orderInMemory = orderMemory == OrderMemory::exported;
  if (orderBuffer.getNumOccurrences())
    settings.orderBuffer = orderBuffer;
  job.fuelCosts = fuelCosts;
  job.options.selection.include = include;
  job.options.selection.exclude = exclude;
  job.options.selection.all = all;
  job.options.unwinding = unwinding;
  job.options.importThunks = !noImportThunks;
  job.options.selection.minInstructions = minInstructions;
  job.options.customSections.keepDebug = keepDebug;
  if (optimize.getNumOccurrences()) {
    auto level = OptimizationLevel::parse(optimize);
    if (!level)
      return level.takeError();
    job.optimization = *level;
    job.options.customSections.keepHints = false;
  }
  job.validate = validate;
  job.asText = asText;
  if (!moduleId.empty()) {
    uint64_t number = 0;
    if (StringRef(moduleId).getAsInteger(0, number))
      return makeError("--module-id=" + moduleId + " is not a number of 64 bits");
    job.options.moduleId = number;
  }
  return job;
}

static Expected<ToolResult> run() {
  if (listInstrumentations) {
    if (Error error = warpo::Registry<Instrumentation>::print(outs()))
      return error;
    return ToolResult::done;
  }
  auto job = jobFromOptions();
  if (!job)
    return job.takeError();
  auto result = runInstrumentJob(*job);
  if (!result)
    return result.takeError();
  for (const std::string &line : warnings(*result))
    warn(line);
  if (!quiet)
    for (const std::string &line : summarize(*result))
      note(line);
  return ToolResult::done;
}

int main(int argc, char **argv) {
  return toolMain(argc, argv, {"Inserts trace points into a WebAssembly module."}, run);
}
