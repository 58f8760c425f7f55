//===- RunTool.cpp - From warpo-run's command line to a run ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/RunTool.h"
#include "ArtifactFiles.h"
#include "BinaryModule.h"
#include "HeapInterval.h"
#include "OldRecord.h"
#include "OuterRecording.h"
#include "RunReport.h"
#include "TrapPlaces.h"
#include "WarpConversion.h"
#include "warpo/Engine/HostCalls.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Tooling/ToolMain.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "llvm/ADT/StringSwitch.h"
#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static constexpr char fileVariable[] = "WARPO_RECORDER_FILE";
static constexpr char formatVariable[] = "WARPO_RECORDER_FORMAT";
/// WARP's names: the first selects WARP's format.
static constexpr char warpFileVariable[] = "WARP_TRACING_RECORDER_FILE";
static constexpr const char *limitVariables[] = {"WARPO_RECORDER_MAX_ITEMS",
                                                 "WARP_TRACING_RECORDER_MAX_ITEMS"};

/// The variable's value; nothing if it is unset or empty.
static std::optional<StringRef> environmentValue(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? std::optional<StringRef>(value) : std::nullopt;
}

/// `usual` is the default.
static Expected<std::string> chooseFormat(const RunToolOptions &options, StringRef file,
                                          StringRef usual) {
  std::string format = options.recordFormat;
  if (format.empty())
    format =
        file.ends_with(".warpo") ? "warpo" : environmentValue(formatVariable).value_or(usual).str();
  if (!format.empty() && format != "warp" && format != "warpo")
    return makeError("the format '" + format + "' cannot be written, only warp and warpo");
  return format;
}

static Error chooseLimit(const RunToolOptions &options, RecordTarget &target) {
  target.maxItems = given(options.maxItems);
  for (const char *variable : limitVariables) {
    auto limit = environmentValue(variable);
    if (!limit || target.maxItems)
      continue;
    uint64_t number;
    if (limit->getAsInteger(10, number))
      return makeError(Twine(variable) + " is '" + *limit + "', not a number of records");
    target.maxItems = number;
  }
  return Error::success();
}

static Expected<RecordTarget> chooseTarget(const RunToolOptions &options) {
  RecordTarget target;
  auto named = given(options.record) ? StringRef(options.record) : environmentValue(fileVariable);
  auto warpNamed = named ? std::nullopt : environmentValue(warpFileVariable);
  StringRef file = named.value_or(warpNamed.value_or("warpo.rec"));
  if (file.empty())
    return makeError("--record needs a file name");
  // Only with the option, `-` is standard output: the recorder's variable names a file.
  if (file == "-" && given(options.record)) {
    target.descriptor = STDOUT_FILENO;
    if (isatty(STDOUT_FILENO))
      return makeError("a record is binary: write it to a file (--record=<file>) or a pipe, not to "
                       "the terminal");
  } else
    target.file = file.str();
  // If only WARP's variable names the file, fitRecord() chooses by the program.
  auto format = chooseFormat(options, file, /*usual=*/warpNamed ? "" : "warpo");
  if (!format)
    return format.takeError();
  target.format = *format;
  target.onlyFuel = options.onlyFuel;
  // Sampling an uninstrumented program cannot be switched.
  if (!options.sample)
    target.onSwitch = [quiet = bool(options.quiet)](bool enabled) {
      if (!quiet)
        note(enabled ? "recording is on" : "recording is off");
    };
  target.onFailure = [](const std::string &text) {
    warn(text + "; the program goes on, and what it does from now on is not recorded");
  };
  if (Error error = chooseLimit(options, target))
    return error;
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
                       " and --deterministic exclude each other: the value is "
                       "that of this machine; --env=" +
                       name + "=value gives one");
    if (entry.contains('='))
      request.environment.push_back({name.str(), value.str()});
    else if (const char *own = std::getenv(name.str().c_str()))
      request.environment.push_back({name.str(), own});
    else
      warn("--env=" + name + ": there is no such variable here");
  }
  return Error::success();
}

static Error chooseHeapSampling(const RunToolOptions &options, SamplingRequest &sampling) {
  constexpr uint64_t mostSeed = (uint64_t(1) << 53) - 1;
  auto size = given(options.heapSampleEvery);
  if (!size)
    return Error::success();
  auto interval = readHeapInterval(*size);
  if (!interval)
    return interval.takeError();
  if (options.heapSeed > mostSeed)
    return makeError("--heap-seed is " + Twine(options.heapSeed.getValue()) +
                     ", not a number from 0 to 2^53-1");
  sampling.heapInterval = *interval;
  sampling.heapSeed = options.heapSeed;
  return Error::success();
}

static Error chooseSampling(const RunToolOptions &options, SamplingRequest &sampling) {
  if (given(options.sampleEvery) && (!options.sampleEvery || options.sampleEvery > INT64_MAX))
    return makeError("--sample-every is " + Twine(options.sampleEvery.getValue()) +
                     ", not a number from 1 to 2^63-1");
  if (Error error = options.frequency.check())
    return error;
  sampling.byEngine = options.sample;
  sampling.everyFuel = given(options.sampleEvery);
  if (options.deterministic && !sampling.everyFuel)
    sampling.everyFuel = SamplingRequest::usualFuel;
  sampling.frequency = options.frequency;
  return chooseHeapSampling(options, sampling);
}

static Error addDirectories(const RunToolOptions &options, RunRequest &request) {
  for (StringRef entry : options.directories) {
    auto [host, given] = entry.split("::");
    StringRef guest = given.empty() ? host : given;
    if (host.empty())
      return makeError("--dir takes a folder or host::guest, not '" + entry + "'");
    for (const RunRequest::Directory &other : request.directories)
      if (other.guest == guest)
        return makeError("--dir gives two folders the name '" + guest + "'");
    request.directories.push_back({host.str(), guest.str()});
  }
  return Error::success();
}

static Expected<RunRequest::Landlock> chooseLandlock(StringRef when) {
  using Landlock = RunRequest::Landlock;
  auto choice = StringSwitch<std::optional<Landlock>>(when)
                    .Case("auto", Landlock::ifAvailable)
                    .Case("on", Landlock::required)
                    .Case("off", Landlock::off)
                    .Default(std::nullopt);
  if (!choice)
    return makeError("--landlock is auto, on or off, not '" + when + "'");
  return *choice;
}

static Expected<RunRequest> makeRequest(const RunToolOptions &options) {
  RunRequest request;
  auto target = chooseTarget(options);
  if (!target)
    return target.takeError();
  request.record = std::move(*target);
  request.outputToStderr = request.record.descriptor == STDOUT_FILENO;
  request.deterministic = options.deterministic;
  request.fuelLimit = given(options.fuelLimit);
  request.guestStack = options.guestStack;
  request.countsOf = options.countsOf;
  request.app = options.app;
  request.arguments = ArrayRef<std::string>(options.arguments).vec();
  request.invoke = options.invoke;
  request.invokeArguments = ArrayRef<std::string>(options.invokeArguments).vec();
  request.hostImports = options.host;
  if (Error error = chooseSampling(options, request.sampling))
    return error;
  if (Error error = addLinks(options, request))
    return error;
  if (Error error = addEnvironment(options, request))
    return error;
  if (Error error = addDirectories(options, request))
    return error;
  auto landlock = chooseLandlock(options.landlock);
  if (!landlock)
    return landlock.takeError();
  request.landlock = *landlock;
  // No note if the user has chosen the engine.
  if (!options.quiet && options.engine.getNumOccurrences() == 0)
    request.onSlowStart = [](const std::string &text) { note(text); };
  return request;
}

/// Adapts the record to what the program's modules provide.
static Error fitRecord(const ProgramHostCalls &calls, RecordTarget &target) {
  auto counts = calls.askedBy(wasm::HostCall::tracePointFuel);
  auto doesNot = calls.askedBy(wasm::HostCall::tracePoint);
  auto samples = calls.sampledModule();
  auto heap = calls.askedBy(wasm::HostCall::heap);
  auto sections = calls.askedBy(wasm::HostCall::beginSection);
  if (target.format.empty())
    target.format = counts || samples || heap || sections ? "warpo" : "warp";
  if (heap && target.format == "warp")
    return fileError(*heap, "it reports heap events, for which the record format warp has no "
                            "place; use --record-format=warpo, or --record=<name>.warpo");
  if (samples && target.format == "warp")
    return fileError(*samples, "it is sampled, and the record format warp has no place for "
                               "samples; use --record-format=warpo, or --record=<name>.warpo");
  if (counts && target.format == "warp")
    return fileError(*counts, "it counts fuel, for which the record format warp has no place; use "
                              "--record-format=warpo, or --record=<name>.warpo");
  if (target.onlyFuel && (doesNot || !counts))
    return checkNeeds(Need::fuelTrace,
                      doesNot.value_or("no module") + (doesNot ? " is not" : " is"));
  if (sections && target.format == "warp")
    warn(*sections + ": its sections are not recorded: the record format warp has no names; use "
                     "--record-format=warpo, or --record=<name>.warpo");
  bool keepsStack = calls.askedBy(wasm::HostCall::enterFrame) || counts || doesNot;
  if (sections && samples && !keepsStack)
    warn(*sections + ": its sections are not recorded: samples have the engine's stack, which has "
                     "none; instrument it with --stack=shadow");
  target.fuelCosts = calls.fuelCosts();
  target.isSampled = samples || heap;
  return Error::success();
}

static Expected<ProgramHostCalls> readHostCalls(const RunToolOptions &options, const Engine &engine,
                                                ArrayRef<std::string> modules) {
  std::vector<ProgramHostCalls::ModuleFile> files = {{modules[0], inputName(options.app).str()}};
  for (size_t i = 0; i < options.links.size(); ++i)
    files.push_back({modules[i + 1], StringRef(options.links[i]).split('=').second.str()});
  return ProgramHostCalls::read(files, engine);
}

/// Checks a program to be sampled uninstrumented.
static Error checkPlain(const RunToolOptions &options, const Engine &engine,
                        const ProgramHostCalls &calls, RecordTarget &target) {
  if (!engine.samplerPreference())
    return makeError("engine " + options.engine +
                     " has no sampler of its own; use --engine=node or --engine=native, or "
                     "instrument the program with --instrumentation=sample");
  if (auto module = calls.instrumentedModule())
    return fileError(*module, "it is instrumented, and samples would measure the probes too; "
                              "--sample takes the original module");
  if (Error error = checkNeeds(Need::fuelTrace, inputName(options.app).str() + " is not"))
    return error;
  if (target.format == "warp")
    return makeError("the record format warp has no place for samples; use --record-format=warpo, "
                     "or --record=<name>.warpo");
  if (auto sections = calls.askedBy(wasm::HostCall::beginSection))
    warn(*sections +
         ": its sections are not recorded: samples have the engine's stack, which has none");
  target.format = "warpo";
  target.isSampled = true;
  return Error::success();
}

static Error checkHostCalls(const RunToolOptions &options, const Engine &engine,
                            const ProgramHostCalls &calls, RunRequest &request) {
  if (Error error = calls.check(engine, options.engine))
    return error;
  std::string isNone = inputName(options.app).str() + " is not";
  if (!calls.askedBy(wasm::HostCall::outOfFuel))
    if (Error error = checkNeeds(Need::fuelLimit, isNone))
      return error;
  if (options.sample)
    return checkPlain(options, engine, calls, request.record);
  if (!calls.sampledModule())
    if (Error error = checkNeeds(Need::sampling, isNone))
      return error;
  if (!calls.askedBy(wasm::HostCall::heap))
    if (Error error = checkNeeds(Need::heapCalls, isNone))
      return error;
  if (calls.heapWithoutStack() && !request.sampling.heapInterval)
    warn(*calls.heapWithoutStack() +
         ": the engine is asked for a stack at each heap event, which takes some microseconds: use "
         "--heap-sample-every=512KiB, or instrument it with --heap-stack=contexts");
  bool counts = any_of(calls.artifacts(), [](const ProgramHostCalls::ModuleArtifact &each) {
    return each.artifact.format == wasm::countFileFormat;
  });
  if (!counts)
    if (Error error = checkNeeds(Need::counts, isNone))
      return error;
  if (auto module = calls.timedModule(); module && request.sampling.everyFuel)
    return fileError(*module, "its samples are due by time (--due=time), and not by fuel, which "
                              "--sample-every and --deterministic ask for");
  for (const auto &[artifact, module] : calls.artifacts())
    if (artifact.isRecord() && !calls.isRecorded() && !options.recordFormat.empty())
      return fileError(module, "its record is " + artifact.description +
                                   ", which has a form of its own: --record-format cannot be "
                                   "chosen");
  if (Error error = checkArtifactFiles({request.record, options.counts}, calls))
    return error;
  return fitRecord(calls, request.record);
}

// Engines only read files with binary modules: replaces text modules and non-files by copies.
// Returns all paths, the program's first.
static Expected<std::vector<std::string>> useBinaries(RunRequest &request, BinaryModules &modules) {
  std::vector<std::string *> paths = {&request.app};
  for (RunRequest::Link &link : request.links)
    paths.push_back(&link.path);
  if (llvm::count_if(paths, [](const std::string *path) { return *path == "-"; }) > 1)
    return makeError("two modules come from standard input");
  for (std::string *path : paths) {
    auto binary = modules.pathOf(*path);
    if (!binary)
      return binary.takeError();
    *path = std::move(*binary);
  }
  std::vector<std::string> result;
  for (const std::string *path : paths)
    result.push_back(*path);
  return result;
}

OptionHelp warpo::programOption(StringRef text, StringRef value) {
  static OptionGroup group("Program");
  return group.option(text, value);
}

OptionHelp warpo::recordingOption(StringRef text, StringRef value) {
  static OptionGroup group("What to record");
  return group.option(text, value);
}

Error FrequencyOption::check() const {
  if (getValue() >= 1 && getValue() <= SamplingRequest::greatestFrequency)
    return Error::success();
  return makeError("--" + ArgStr + " is " + Twine(getValue()) + ", not a number from 1 to " +
                   Twine(SamplingRequest::greatestFrequency));
}

static Expected<std::unique_ptr<FunctionTable>> loadMapping(StringRef file) {
  if (file.empty())
    return std::make_unique<FunctionTable>();
  DamageReport damage;
  auto functions = FunctionTable::load(file, damage);
  if (functions)
    for (const std::string &message : damage.messages())
      warn(message);
  return functions;
}

// Says what was recorded and writes the artifacts; returns the exit code unless the program
// trapped.
static int reportRecorded(const RunToolOptions &options, const RunRequest &request,
                          const RunResult &result, const ProgramHostCalls &calls) {
  bool hasRecord = options.sample || result.instrumented || !calls.artifacts().empty();
  bool lacksRecord = !hasRecord && given(options.record);
  if (lacksRecord && !removeOldRecord(request.record.file))
    warn(request.record.file + ": no record, and left as it was");
  if (result.instrumented || calls.artifacts().empty())
    reportRecord(request, result,
                 options.sample ? RecordNoun{"sample", "samples"} : RecordNoun::of(calls),
                 options.quiet);
  if (options.sample && result.recorded + result.lostToLimit + result.lostToFailure == 0)
    warn(inputName(options.app) + " ended" +
         (result.runNanoseconds ? " after " + formatTime(*result.runNanoseconds) + "," : "") +
         " before its first sample was due");
  if (!options.countsOf.empty())
    warnOfEmptyCounts(result, options.countsOf);
  bool isWhole =
      writeArtifactFiles({request.record, options.counts}, calls, result, options.quiet) &&
      result.recordError.empty();
  if (!isWhole)
    return RunToolOptions::failureCode;
  return lacksRecord && result.exitCode == 0 ? RunToolOptions::nothingRecordedCode
                                             : result.exitCode;
}

Expected<int> warpo::runAndReport(const RunToolOptions &options) {
  if (options.app.empty())
    return makeError("no program given");
  // The signal may arrive before there is a record to switch, and after it is closed.
  std::signal(SIGUSR2, SIG_IGN);
  // Before the run, so that an unreadable mapping is reported at once.
  auto loaded = loadMapping(options.mapping);
  if (!loaded)
    return loaded.takeError();
  FunctionTable &functions = **loaded;
  auto request = makeRequest(options);
  if (!request)
    return request.takeError();
  if (!options.mapping.empty())
    request->record.namesOf = [&functions](uint64_t moduleId) {
      std::vector<FunctionName> names;
      for (const Function *function : functions.functionsOf(moduleId))
        names.push_back({function->id, function->name.str()});
      return names;
    };
  auto engine = warpo::Registry<Engine>::create(options.engine);
  if (!engine)
    return engine.takeError();
  BinaryModules binaries;
  auto modules = useBinaries(*request, binaries);
  if (!modules)
    return modules.takeError();
  // All inputs are known now. The engine opens the record.
  if (Error error =
          FilesInUse::checkOutput(request->record.file.empty() ? "-" : request->record.file))
    return error;
  auto calls = readHostCalls(options, **engine, *modules);
  if (!calls)
    return calls.takeError();
  if (Error error = checkHostCalls(options, **engine, *calls, *request))
    return error;
  std::unique_ptr<WarpConversion> conversion;
  bool isRecorded =
      calls->askedBy(wasm::HostCall::tracePoint) || calls->askedBy(wasm::HostCall::beginSection);
  if (isRecorded && !(*engine)->writes(request->record.format)) {
    auto created = WarpConversion::create(request->record);
    if (!created)
      return created.takeError();
    conversion = std::move(*created);
  }
  keepOutOfRecording();
  auto result = (*engine)->run(*request);
  std::vector<std::string> stack, callPlaces;
  if (result && result->trap) {
    stack = describeStack(result->trap->stack, *request);
    if (options.mapping.empty() && !result->trap->openCalls.empty())
      nameCalls(*request, functions);
    // If there is a stack, it has the locations.
    if (stack.empty())
      callPlaces =
          placesOfCalls(ArrayRef(result->trap->openCalls).take_front(maxTrapFrames), *request);
  }
  // Messages refer to the user's file.
  request->app = options.app;
  if (!result)
    return result.takeError();
  if (conversion)
    if (Error error = conversion->finish(request->record, *result))
      return error;

  reportResults(*result, request->outputToStderr ? errs() : outs());
  int code = reportRecorded(options, *request, *result, *calls);
  if (result->trap) {
    reportTrap(*result->trap, stack, callPlaces, functions);
    return RunToolOptions::trapCode;
  }
  return code;
}
