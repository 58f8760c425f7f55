//===- RunTool.cpp - From warpo-run's command line to a run ---------------===//

#include "warpo/Tooling/RunTool.h"
#include "BinaryModule.h"
#include "RunReport.h"
#include "warpo/Engine/HostCalls.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static constexpr char fileVariable[] = "WARP_TRACING_RECORDER_FILE";
static constexpr char formatVariable[] = "WARPO_RECORDER_FORMAT";
static constexpr char limitVariable[] = "WARP_TRACING_RECORDER_MAX_ITEMS";

/// The variable's value; nothing if it is unset or empty.
static std::optional<StringRef> environmentValue(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? std::optional<StringRef>(value) : std::nullopt;
}

/// Empty if nothing says what it is.
static Expected<std::string> chooseFormat(const RunToolOptions &options, StringRef file) {
  std::string format = options.recordFormat;
  if (format.empty())
    format =
        file.ends_with(".warpo") ? "warpo" : environmentValue(formatVariable).value_or("").str();
  if (!format.empty() && format != "warp" && format != "warpo")
    return makeError("no record of the format '" + format +
                     "' can be made, only of warp and warpo");
  return format;
}

static Expected<RecordTarget> chooseTarget(const RunToolOptions &options) {
  RecordTarget target;
  StringRef file = options.record ? StringRef(*options.record)
                                  : environmentValue(fileVariable).value_or("warpo.rec");
  if (file.empty())
    return makeError("--record needs a file name");
  // Only the option knows `-`: the recorder's variable names a file.
  if (file == "-" && options.record)
    target.descriptor = STDOUT_FILENO;
  else
    target.file = file.str();
  auto format = chooseFormat(options, file);
  if (!format)
    return format.takeError();
  target.format = *format;
  target.onlyFuel = options.onlyFuel;
  target.maxItems = options.maxItems;
  if (auto limit = environmentValue(limitVariable); limit && !target.maxItems) {
    uint64_t number;
    if (limit->getAsInteger(10, number))
      return makeError(Twine(limitVariable) + " is '" + *limit + "', not a number of records");
    target.maxItems = number;
  }
  return target;
}

static Error addLinks(const RunToolOptions &options, RunRequest &request) {
  for (StringRef link : options.links) {
    auto [name, path] = link.split('=');
    if (name.empty() || path.empty())
      return makeError("--link takes name=file.wasm, not '" + link + "'");
    for (const RunRequest::Link &other : request.links)
      if (other.name == name)
        return makeError("--link gives two modules the name '" + name + "'");
    request.links.push_back({name.str(), path.str()});
  }
  return Error::success();
}

static Error addEnvironment(const RunToolOptions &options, RunRequest &request) {
  for (StringRef entry : options.environment) {
    auto [name, value] = entry.split('=');
    if (name.empty())
      return makeError("--env takes NAME=value, not '" + entry + "'");
    if (options.deterministic && !entry.contains('='))
      return makeError("--env=" + name +
                       " hands on a variable of this machine; with "
                       "--deterministic its value must be given");
    if (entry.contains('='))
      request.environment.push_back({name.str(), value.str()});
    else if (const char *own = std::getenv(name.str().c_str()))
      request.environment.push_back({name.str(), own});
    else
      warn("--env=" + name + ": there is no such variable here");
  }
  return Error::success();
}

// A slip of the hand, as in --record=app.wasm app.wasm, must not cost the program.
static Error checkRecordIsNoInput(const RunToolOptions &options, const RunRequest &request) {
  std::vector<StringRef> inputs = {request.app, options.host, options.mapping};
  for (const RunRequest::Link &link : request.links)
    inputs.push_back(link.path);
  for (StringRef input : inputs)
    if (!input.empty() && !request.record.file.empty() &&
        sys::fs::equivalent(input, request.record.file))
      return makeError("the record would overwrite " + input);
  return Error::success();
}

static Error chooseSampling(const RunToolOptions &options, SamplingRequest &sampling) {
  if (options.sampleEvery && options.frequency)
    return makeError("samples are due by fuel (--sample-every) or by time (--frequency), not by "
                     "both");
  if (options.sampleEvery && (*options.sampleEvery == 0 || *options.sampleEvery > INT64_MAX))
    return makeError("--sample-every is " + Twine(*options.sampleEvery) +
                     ", not a number from 1 to 2^63-1");
  if (options.frequency &&
      (*options.frequency == 0 || *options.frequency > SamplingRequest::greatestFrequency))
    return makeError("--frequency is " + Twine(*options.frequency) + ", not a number from 1 to " +
                     Twine(SamplingRequest::greatestFrequency));
  if (options.frequency && options.deterministic)
    return makeError("samples that are due by time (--frequency) differ from run to run; with "
                     "--deterministic they are due by fuel (--sample-every)");
  sampling.everyFuel = options.sampleEvery;
  if (options.deterministic && !options.sampleEvery)
    sampling.everyFuel = SamplingRequest::usualFuel;
  sampling.frequency = options.frequency.value_or(sampling.frequency);
  return Error::success();
}

static void addDirectories(const RunToolOptions &options, RunRequest &request) {
  for (StringRef entry : options.directories) {
    auto [host, guest] = entry.split("::");
    request.directories.push_back({host.str(), guest.empty() ? host.str() : guest.str()});
  }
}

static Expected<RunRequest> makeRequest(const RunToolOptions &options) {
  RunRequest request;
  auto target = chooseTarget(options);
  if (!target)
    return target.takeError();
  request.record = std::move(*target);
  request.outputToStderr = request.record.descriptor == STDOUT_FILENO;
  request.deterministic = options.deterministic;
  request.fuelLimit = options.fuelLimit;
  request.guestStack = options.guestStack;
  request.app = options.app;
  request.arguments = options.arguments;
  request.invoke = options.invoke;
  request.invokeArguments = options.invokeArguments;
  if (request.invoke.empty() && !request.invokeArguments.empty())
    return makeError("--arg gives an argument of the function of --invoke, and there is none; the "
                     "program's own arguments follow '--'");
  request.hostImports = options.host;
  if (Error error = chooseSampling(options, request.sampling))
    return error;
  if (Error error = addLinks(options, request))
    return error;
  if (Error error = addEnvironment(options, request))
    return error;
  addDirectories(options, request);
  if (Error error = checkRecordIsNoInput(options, request))
    return error;
  return request;
}

/// Makes of the record what the program's modules can give.
static Error fitRecord(const ProgramHostCalls &calls, RecordTarget &target) {
  auto counts = calls.askedBy(wasm::HostCall::tracePointFuel);
  auto doesNot = calls.askedBy(wasm::HostCall::tracePoint);
  auto samples = calls.sampledModule();
  auto sections = calls.askedBy(wasm::HostCall::beginSection);
  if (target.format.empty())
    target.format = counts || samples || sections ? "warpo" : "warp";
  if (samples && target.format == "warp")
    return fileError(*samples, "it is sampled, and the record format warp has no place for "
                               "samples; take --record-format=warpo, or --record=<name>.warpo");
  if (counts && target.format == "warp")
    return fileError(*counts, "it counts fuel, for which the record format warp has no place; take "
                              "--record-format=warpo, or --record=<name>.warpo");
  if (target.onlyFuel && (doesNot || !counts))
    return makeError((doesNot ? *doesNot + ": " : "") +
                     "there is no fuel to record: --only-fuel needs modules that were instrumented "
                     "with --instrumentation=trace,fuel");
  if (sections && target.format == "warp")
    warn(*sections + ": its sections are not recorded: the record format warp has no names; take "
                     "--record-format=warpo, or --record=<name>.warpo");
  bool keepsStack = calls.askedBy(wasm::HostCall::enterFrame) || counts || doesNot;
  if (sections && samples && !keepsStack)
    warn(*sections + ": its sections are not recorded: the engine's stack, of which samples are "
                     "taken, has none; instrument it with --stack=shadow");
  target.fuelCosts = calls.fuelCosts();
  target.isSampled = samples.has_value();
  return Error::success();
}

static Expected<ProgramHostCalls> readHostCalls(const RunToolOptions &options,
                                                ArrayRef<BinaryModule> modules) {
  std::vector<ProgramHostCalls::ModuleFile> files = {{modules[0].path(), options.app}};
  for (size_t i = 0; i < options.links.size(); ++i)
    files.push_back({modules[i + 1].path(), StringRef(options.links[i]).split('=').second.str()});
  return ProgramHostCalls::read(files);
}

static Error checkHostCalls(const RunToolOptions &options, const Engine &engine,
                            const ProgramHostCalls &calls, RunRequest &request) {
  if (Error error = calls.check(engine, options.engine))
    return error;
  if (request.fuelLimit && !calls.askedBy(wasm::HostCall::outOfFuel))
    return fileError(options.app, "nothing checks its fuel: --fuel-limit needs a module that was "
                                  "instrumented with --instrumentation=fuel,fuel-limit");
  if ((options.sampleEvery || options.frequency) && !calls.sampledModule())
    return fileError(options.app, "nothing of it can be sampled: it needs to be instrumented with "
                                  "--instrumentation=sample");
  if (calls.logsInMemory() && !options.recordFormat.empty() &&
      !calls.askedBy(wasm::HostCall::tracePoint) && !calls.askedBy(wasm::HostCall::tracePointFuel))
    return fileError(*calls.logsInMemory(), "its record is the memory that it logs in, which has a "
                                            "form of its own: --record-format cannot be chosen");
  return fitRecord(calls, request.record);
}

// Engines read binary modules only: puts those in the places of texts. They live as long as the
// result.
static Expected<std::vector<BinaryModule>> assembleTexts(RunRequest &request) {
  std::vector<std::string *> paths = {&request.app};
  for (RunRequest::Link &link : request.links)
    paths.push_back(&link.path);
  std::vector<BinaryModule> modules;
  for (std::string *path : paths) {
    auto module = BinaryModule::of(*path);
    if (!module)
      return module.takeError();
    *path = module->path();
    modules.push_back(std::move(*module));
  }
  return modules;
}

Expected<int> warpo::runAndReport(const RunToolOptions &options) {
  if (options.app.empty())
    return makeError("no program given");
  // Before the run: a mapping that cannot be read should not cost one.
  DamageReport damage;
  std::unique_ptr<FunctionTable> functions = std::make_unique<FunctionTable>();
  if (!options.mapping.empty()) {
    auto loaded = FunctionTable::load(options.mapping, damage);
    if (!loaded)
      return loaded.takeError();
    functions = std::move(*loaded);
    for (const std::string &message : damage.messages())
      warn(message);
  }
  auto request = makeRequest(options);
  if (!request)
    return request.takeError();
  if (!options.mapping.empty())
    request->record.namesOf = [&functions](uint64_t moduleId) {
      std::vector<FunctionName> names;
      for (const Function *function : functions->functionsOf(moduleId))
        names.push_back({function->id, function->name.str()});
      return names;
    };
  auto engine = warpo::Registry<Engine>::create(options.engine);
  if (!engine)
    return engine.takeError();
  auto modules = assembleTexts(*request);
  if (!modules)
    return modules.takeError();
  auto calls = readHostCalls(options, *modules);
  if (!calls)
    return calls.takeError();
  if (Error error = checkHostCalls(options, **engine, *calls, *request))
    return error;
  auto result = (*engine)->run(*request);
  // What is reported is of the file that the user knows.
  request->app = options.app;
  if (!result)
    return result.takeError();

  reportResults(*result, request->outputToStderr ? errs() : outs());
  bool lacksMemory = calls->logsInMemory() && !result->recordIsOrderDump;
  if (lacksMemory)
    warn(*calls->logsInMemory() + " keeps what ran first in a memory of its own, which " +
         (result->instrumented
              ? "is not recorded beside the trace points of other modules"
              : "engine " + result->engine + " has not recorded; engines node and interp do"));
  if (!lacksMemory || result->instrumented)
    reportRecord(*request, *result, RecordNoun::of(*calls), options.quiet);
  if (result->trap) {
    reportTrap(*result->trap, *functions);
    return RunToolOptions::trapCode;
  }
  return result->recordError.empty() ? result->exitCode : RunToolOptions::failureCode;
}
