//===- warpo-run.cpp - Runs an instrumented program and records it --------===//

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Tooling/RunTool.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

static cl::opt<std::string> app(cl::Positional, cl::desc("app.wasm"), cl::cat(toolOptions()));
static cl::list<std::string> arguments(cl::Positional, cl::desc("[-- arguments of the program]"),
                                       cl::cat(toolOptions()));
static cl::opt<std::string> engine("engine", cl::desc("What runs the program (default: auto)"),
                                   cl::value_desc("name"), cl::init("auto"),
                                   cl::cat(toolOptions()));
static cl::opt<bool> listEngines("list-engines", cl::desc("List the engines"),
                                 cl::cat(toolOptions()));
static cl::opt<std::string> record("record", cl::desc("The record to write (default: warpo.rec)"),
                                   cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<std::string> recordFormat("record-format",
                                         cl::desc("warp or warpo (default: by the file's name)"),
                                         cl::value_desc("name"), cl::cat(toolOptions()));
static cl::opt<uint64_t> maxItems("max-items", cl::desc("Stop recording after so many events"),
                                  cl::value_desc("n"), cl::cat(toolOptions()));
static cl::opt<bool> onlyFuel("only-fuel", cl::desc("Record fuel and no time: no clock is read"),
                              cl::cat(toolOptions()));
static cl::opt<uint64_t> fuelLimit("fuel-limit", cl::desc("End modules that burn so much fuel"),
                                   cl::value_desc("n"), cl::cat(toolOptions()));
static cl::opt<uint64_t> sampleEvery("sample-every",
                                     cl::desc("Sample each time so much fuel has been burnt"),
                                     cl::value_desc("n"), cl::cat(toolOptions()));
static cl::opt<uint64_t> frequency("frequency", cl::desc("Samples a second, about (default: 1000)"),
                                   cl::value_desc("n"), cl::cat(toolOptions()));
static cl::opt<std::string> guestStack("guest-stack",
                                       cl::desc("Who reads an interpreted program's stack"),
                                       cl::value_desc("name"), cl::init("auto"),
                                       cl::cat(toolOptions()));
static cl::opt<bool> listGuestStacks("list-guest-stacks", cl::desc("List the guest stacks"),
                                     cl::cat(toolOptions()));
static cl::opt<std::string> invoke("invoke",
                                   cl::desc("Call this, not _start or main; print its results"),
                                   cl::value_desc("function"), cl::cat(toolOptions()));
static cl::list<std::string> invokeArguments("arg", cl::desc("An argument of that function"),
                                             cl::value_desc("value"), cl::cat(toolOptions()));
static cl::list<std::string> links("link", cl::desc("A module that the program imports from"),
                                   cl::value_desc("name=file.wasm"), cl::cat(toolOptions()));
static cl::opt<std::string> host("host", cl::desc("The program's own imports, an ES module"),
                                 cl::value_desc("imports.mjs"), cl::cat(toolOptions()));
static cl::list<std::string> environment("env", cl::desc("A variable that the program sees"),
                                         cl::value_desc("NAME=value"), cl::cat(toolOptions()));
static cl::list<std::string> directories("dir", cl::desc("A folder that the program sees"),
                                         cl::value_desc("host::guest"), cl::cat(toolOptions()));
static cl::opt<std::string> mapping("mapping",
                                    cl::desc("Names of the functions, shown after a trap"),
                                    cl::value_desc("file"), cl::cat(toolOptions()));
static cl::opt<bool> deterministic("deterministic",
                                   cl::desc("Clocks and random numbers are the same in each run"),
                                   cl::cat(toolOptions()));
static cl::opt<bool> quiet("q", cl::desc("Say nothing unless something is wrong"),
                           cl::cat(toolOptions()));

static Expected<int> run() {
  if (listEngines) {
    if (Error error = warpo::Registry<Engine>::print(outs()))
      return error;
    return 0;
  }
  if (listGuestStacks) {
    if (Error error = warpo::Registry<GuestStack>::print(outs()))
      return error;
    return 0;
  }
  RunToolOptions options;
  options.app = app;
  options.arguments = arguments;
  options.engine = engine;
  if (record.getNumOccurrences() > 0)
    options.record = record;
  options.recordFormat = recordFormat;
  if (maxItems.getNumOccurrences() > 0)
    options.maxItems = maxItems;
  options.invoke = invoke;
  options.invokeArguments = invokeArguments;
  options.links = links;
  options.host = host;
  options.environment = environment;
  options.directories = directories;
  options.mapping = mapping;
  options.deterministic = deterministic;
  options.onlyFuel = onlyFuel;
  if (sampleEvery.getNumOccurrences() > 0)
    options.sampleEvery = sampleEvery;
  if (frequency.getNumOccurrences() > 0)
    options.frequency = frequency;
  if (fuelLimit.getNumOccurrences() > 0)
    options.fuelLimit = fuelLimit;
  options.guestStack = guestStack;
  options.quiet = quiet;
  return runAndReport(options);
}

int main(int argc, char **argv) {
  return toolMainWithCode(argc, argv,
                          {"Runs an instrumented WebAssembly program and records its calls. With "
                           "--record=- the program's own output goes to stderr. The exit code is "
                           "the program's own; 134 after a trap, 125 if it could not be run or "
                           "recorded.",
                           RunToolOptions::failureCode},
                          run);
}
