//===- warpo-instrument.cpp - Inserts trace points into a module ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "InstrumentationFlags.h"
#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/BudgetTool.h"
#include "warpo/Tooling/KnownValues.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

static TextOption input(cl::Positional, inputOption("<in.wasm or in.wat>"), namesInput());
static TextOption output("o", outputOption("The instrumented module, or -", "out.wasm"));
static TextOption mappingFile("trace-point-mapping-file",
                              outputOption("Write ids and names, for records without names",
                                           "file"));
static TextOption mappingJson("append-mapping-json",
                              outputOption("Add the mapping to a JSON file of mappings", "file"));
static TextOption infoFile("info-file",
                           outputOption("Write information about functions as JSON", "file"));
static cl::list<std::string> instrumentations("instrumentation",
                                              cl::desc("What to insert (default: trace)"),
                                              cl::value_desc("names"), cl::CommaSeparated,
                                              cl::cat(toolOptions()));
static cl::opt<bool> listInstrumentations("list-instrumentations",
                                          cl::desc("List the instrumentations, and stop"),
                                          cl::cat(toolOptions()));
static cl::opt<std::string> fuelCosts("fuel-costs",
                                      cl::desc("Costs of instructions (default: 1 each)"),
                                      cl::value_desc("file"), namesInput(), cl::cat(toolOptions()));
static cl::list<std::string>
    instrumentationOptions("instrumentation-option",
                           cl::desc("An option of an instrumentation (may be repeated)"),
                           cl::value_desc("name=value"), cl::cat(toolOptions()));
static cl::opt<bool>
    exportGlobals("export-globals",
                  cl::desc("Export the counters as globals, for hosts with a timer"),
                  cl::cat(toolOptions()));
static cl::list<std::string> include("include",
                                     cl::desc("Instrument only functions whose names match"),
                                     cl::value_desc("glob"), cl::cat(toolOptions()));
static cl::list<std::string> exclude("exclude", cl::desc("Leave out functions whose names match"),
                                     cl::value_desc("glob"), cl::cat(toolOptions()));
static cl::opt<bool> all("all",
                         cl::desc("Instrument AssemblyScript's library and compiler functions too"),
                         cl::cat(toolOptions()));
static cl::opt<uint64_t> minInstructions("min-instructions",
                                         cl::desc("Leave out functions with fewer instructions"),
                                         cl::value_desc("count"), cl::init(0),
                                         cl::cat(toolOptions()));
static cl::opt<double> budget("budget",
                              cl::desc("Leave out functions until the traced program is predicted "
                                       "to take at most this many times as long"),
                              cl::value_desc("times"), cl::cat(toolOptions()));
static cl::opt<ProbeClock> budgetClock(
    "budget-clock", cl::desc("The clock that will be used for recording (default: that of --from)"),
    choices({clEnumValN(ProbeClock::exact, "exact", "of each event, in JavaScript"),
             clEnumValN(ProbeClock::thread, "thread", "kept by a thread"),
             clEnumValN(ProbeClock::none, "none", "none"),
             clEnumValN(ProbeClock::fuel, "fuel", "fuel alone"),
             clEnumValN(ProbeClock::counter, "counter", "the processor's, in machine code"),
             clEnumValN(ProbeClock::monotonic, "monotonic", "the system's, in machine code")}),
    needs("budget"), cl::cat(toolOptions()));
static TextOption
    from("from", toolOptions().option("Calls and times of an earlier run, for --budget", "record"),
         namesInput(), needs("budget"));
static TextOption
    timeFrom("time-from",
             toolOptions().option("For --budget: times from samples of the uninstrumented program",
                                  "record"),
             namesInput(), needs("from"));
static cl::opt<bool> noImportThunks("no-import-thunks",
                                    cl::desc("Trace imported functions at their calls, not in "
                                             "functions around them"),
                                    cl::cat(toolOptions()));
static cl::opt<Unwinding> unwinding(
    "unwind", cl::desc("How to record that an exception ends a call (default: auto)"),
    cl::init(Unwinding::automatic),
    choices({clEnumValN(Unwinding::automatic, "auto", "in the module's form, else legacy"),
             clEnumValN(Unwinding::legacy, "legacy", "by try, catch_all, rethrow"),
             clEnumValN(Unwinding::exnref, "exnref", "by try_table, throw_ref"),
             clEnumValN(Unwinding::none, "none", "not, for engines without exceptions")}),
    cl::cat(toolOptions()));
static cl::opt<std::string> moduleId("module-id",
                                     cl::desc("The module's id in records (default: from a hash)"),
                                     cl::value_desc("number"), cl::cat(toolOptions()));
static FlagOption keepDebug("keep-debug",
                            outputOption("Keep the debug information of the old code (.debug_*)"));
static FlagOption noPlaces("no-places", outputOption("Write no source places into the module"));
static TextOption symbols("symbols", inputOption("Names for a stripped module", "file"),
                          namesInput());
static TextOption debugFile("debug-file",
                            inputOption("DWARF of the input (default: in the input or beside it)",
                                        "in.wasm"),
                            namesInput());
static TextOption sourceMap("source-map",
                            inputOption("Source map of the input (default: the one that it names)",
                                        "in.map"),
                            namesInput());
static TextOption outputSourceMap("output-source-map",
                                  outputOption("Write a source map of the result", "out.map"));
static TextOption optimize("O", cl::Prefix, cl::ValueOptional,
                           outputOption("Optimise with Binaryen: 0 to 4, s, z", "level"));
static FlagOption validate("validate", outputOption("Let Binaryen check the result"));
static FlagOption asText("S", outputOption("Write text (.wat)"));
static FlagOption quiet("q", outputOption("Print no summary"));

static Expected<BudgetRequest> budgetFromOptions(const InstrumentOptions &options) {
  // Written this way, the test also rejects NaN.
  if (!(budget > 1 && budget < HUGE_VAL))
    return makeError("--budget=" + Twine(std::to_string(budget)) +
                     ": how many times as long as the program as it is; more than 1");
  if (!is_contained(options.instrumentations, "trace"))
    return makeError("--budget needs --instrumentation=trace");
  return BudgetRequest{budget, from, timeFrom, given(budgetClock)};
}

static Expected<InstrumentJob> jobFromOptions(const InstrumentationFlags &flags) {
  for (const auto &[option, what] : {std::pair(&input, "an input file"), std::pair(&output, "-o")})
    if (option->empty())
      return makeError(Twine(what) + " is missing");
  InstrumentJob job;
  job.input = input;
  job.output = output;
  job.mappingFile = mappingFile;
  job.mappingJson = mappingJson;
  job.infoFile = infoFile;
  job.options.writesPlaces = !noPlaces;
  job.symbols = symbols;
  job.debugFile = debugFile;
  job.sourceMap = sourceMap;
  job.outputSourceMap = outputSourceMap;
  if (!instrumentations.empty())
    job.options.instrumentations = instrumentations;
  job.options.given = flags.given();
  for (StringRef option : instrumentationOptions) {
    auto [name, value] = option.split('=');
    job.options.given.push_back({name.str(), value.str()});
  }
  job.options.exportCounters = exportGlobals;
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

static Expected<ToolResult> run(const InstrumentationFlags &flags) {
  if (listInstrumentations) {
    if (Error error = warpo::Registry<Instrumentation>::print(outs()))
      return error;
    return ToolResult::done;
  }
  auto job = jobFromOptions(flags);
  if (!job)
    return job.takeError();
  BudgetReport chosen;
  std::optional<BudgetRequest> request;
  if (budget.getNumOccurrences() > 0) {
    auto wanted = budgetFromOptions(job->options);
    if (!wanted)
      return wanted.takeError();
    request = std::move(*wanted);
    job->options.leaveOut = [&](const wasm::Module &module, ArrayRef<FunctionReport> functions) {
      return leaveOutByBudget(*request, module, functions, chosen);
    };
  }
  auto result = runInstrumentJob(*job);
  if (!result)
    return result.takeError();
  for (const std::string &line : concat<const std::string>(warnings(*result), chosen.warnings))
    warn(line);
  if (!quiet)
    for (const std::string &line : concat<const std::string>(summarize(*result), chosen.notes))
      note(line);
  return chosen.result;
}

int main(int argc, char **argv) {
  InstrumentationFlags flags(toolOptions());
  return toolMain(argc, argv,
                  {.overview = "Inserts trace points into a WebAssembly module.",
                   .examples = "  warpo-instrument app.wasm -o traced.wasm\n"
                               "  warpo-instrument app.wasm -o sampled.wasm "
                               "--instrumentation=sample",
                   .page = "docs/instrumented-module.md"},
                  [&] { return run(flags); });
}
