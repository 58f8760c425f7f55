//===- RecordTool.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Starts the tools that each do one step, as a shell script would: what they do can be done by
// hand.
//
//===----------------------------------------------------------------------===//

#include "warpo/Tooling/RecordTool.h"
#include "HeapInterval.h"
#include "OldRecord.h"
#include "OtherTools.h"
#include "PlainPlaces.h"
#include "RunnableModule.h"
#include "TemporaryFolder.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

bool isScript(StringRef program) {
  return is_contained({".js", ".mjs", ".cjs"}, sys::path::extension(program));
}

/// By its name or what it begins with: linkers make modules executable.
bool isWasm(StringRef path) {
  if (is_contained({".wasm", ".wat"}, sys::path::extension(path)))
    return true;
  auto start = MemoryBuffer::getFileSlice(path, 4, 0);
  return start && (*start)->getBuffer() == StringRef("\0asm", 4);
}

enum class ProgramKind { module, script, page, command };

ProgramKind kindOf(StringRef program) {
  if (isScript(program))
    return ProgramKind::script;
  bool isFile = program == "-" || sys::fs::exists(program);
  if (isFile && program.ends_with_insensitive(".html"))
    return ProgramKind::page;
  bool isModule = isFile && (isWasm(program) || !sys::fs::can_execute(program));
  return isModule ? ProgramKind::module : ProgramKind::command;
}

/// A program that outlives a trap is recorded as it is: later calls do not belong to those that it
/// ended.
std::string instrumentationsOf(const RecordToolOptions &options) {
  if (options.order)
    return "order";
  if (options.heap)
    return "heap";
  return options.fuel ? "trace,fuel,traps" : "trace,traps";
}

constexpr StringLiteral engineStack = "--heap-stack=engine";

/// A sample of the heap asks for few stacks, and only Node has some to ask for.
bool asksEngineForStacks(const RecordToolOptions &options) {
  bool runsInNode =
      options.engine == "node" || (options.engine == "auto" && sys::findProgramByName("node"));
  return given(options.heapSampleEvery) && runsInNode;
}

Error instrument(const RecordToolOptions &options, std::string &module,
                 const TemporaryFolder &folder, size_t number) {
  // A module without a name is called after its file.
  auto own = folder.makeFolder(Twine(number));
  if (!own)
    return own.takeError();
  std::string traced = *own + "/" + sys::path::filename(module).str();
  std::vector<std::string> arguments{"-q", module, "-o", traced};
  arguments.push_back("--instrumentation=" + instrumentationsOf(options));
  if (options.engine == "native")
    arguments.push_back("--unwind=none");
  if (asksEngineForStacks(options))
    arguments.push_back(engineStack.str());
  if (given(options.allocator))
    arguments.push_back("--allocator=" + options.allocator);
  module = traced;
  return runStep("warpo-instrument", arguments);
}

/// Otherwise the program is sampled as it is.
bool instruments(const RecordToolOptions &options) {
  return options.trace || options.fuel || options.order || options.heap;
}

using OptionValues = std::vector<std::pair<const cl::Option *, std::string>>;

/// The given options for running a module with warpo-run.
OptionValues valuesForRun(const RecordToolOptions &options) {
  OptionValues values;
  auto addAll = [&](const cl::Option &option, ArrayRef<std::string> given) {
    if (option.getNumOccurrences() > 0)
      for (const std::string &value : given)
        values.emplace_back(&option, value);
  };
  addAll(options.engine, options.engine.getValue());
  addAll(options.invoke, options.invoke.getValue());
  addAll(options.host, options.host.getValue());
  addAll(options.invokeArguments, options.invokeArguments);
  addAll(options.environment, options.environment);
  addAll(options.directories, options.directories);
  return values;
}

/// Programs other than modules have their own ways to say that.
Error refuseValuesForRun(const RecordToolOptions &options) {
  OptionValues values = valuesForRun(options);
  const cl::Option *first = values.empty() ? nullptr : values.front().first;
  if (!first && !options.links.empty())
    first = std::addressof(options.links);
  if (!first)
    return Error::success();
  return fileError(options.program,
                   "--" + first->ArgStr + " is only for modules that warpo-run runs");
}

/// The options that warpo-run has too.
std::vector<std::string> optionsOfRun(const RecordToolOptions &options) {
  std::vector<std::string> arguments;
  auto pass = [&](const cl::Option &option, StringRef value) {
    if (option.getNumOccurrences() > 0)
      arguments.push_back(("--" + option.ArgStr + "=" + value).str());
  };
  for (const auto &[option, value] : valuesForRun(options))
    pass(*option, value);
  // Engines of plugins run there.
  if (cl::Option *plugins = cl::getRegisteredOptions().lookup("load-plugin"))
    for (StringRef plugin : *static_cast<TextsOption *>(plugins))
      pass(*plugins, plugin);
  if (given(options.heapSampleEvery))
    pass(options.heapSampleEvery, options.heapSampleEvery);
  if (given(options.frequency))
    pass(options.frequency, std::to_string(options.frequency));
  if (!instruments(options))
    arguments.push_back("--sample");
  if (options.quiet)
    arguments.push_back("-q");
  return arguments;
}

Expected<int> recordModule(const RecordToolOptions &options, StringRef invoke, StringRef record,
                           const TemporaryFolder &folder) {
  std::string program = options.program;
  if (instruments(options))
    if (Error error = instrument(options, program, folder, 0))
      return error;
  std::vector<std::string> arguments = optionsOfRun(options), modules{program};
  for (const auto &[index, link] : enumerate(options.links)) {
    auto [name, path] = StringRef(link).split('=');
    std::string module = path.str();
    modules.push_back(module);
    if (instruments(options))
      if (Error error = instrument(options, module, folder, index + 1))
        return error;
    arguments.push_back(("--link=" + name + "=" + module).str());
  }
  if (!invoke.empty())
    arguments.push_back(("--invoke=" + invoke).str());
  arguments.push_back(("--record=" + record).str());
  arguments.push_back(program);
  arguments.push_back("--");
  append_range(arguments, options.arguments);
  auto code = runTool("warpo-run", arguments);
  if (code && !instruments(options) && record != "-" && isRecordFile(record))
    if (Error error = addPlainPlaces(record, modules, folder))
      return error;
  return code;
}

/// The records of the processes and threads of a command, in order.
std::vector<std::string> filesIn(StringRef folder) {
  std::vector<std::string> records;
  std::error_code code;
  for (sys::fs::directory_iterator file(folder, code), end; file != end && !code;
       file.increment(code))
    records.push_back(file->path());
  llvm::sort(records);
  return records;
}

Error mergeRecords(ArrayRef<std::string> records, StringRef output) {
  if (records.size() == 1) {
    std::error_code code = sys::fs::copy_file(records.front(), output);
    return code ? fileError(output, code) : Error::success();
  }
  std::vector<std::string> arguments{"--format=warpo", "-o", output.str()};
  append_range(arguments, records);
  return runStep("warpo-record-dump", arguments);
}

/// The program that runs a script, a module of Go's compiler (`goScript` is not empty), or a
/// command.
Expected<std::vector<std::string>> commandOfNode(const RecordToolOptions &options,
                                                 StringRef goScript) {
  std::vector<std::string> command;
  if (isScript(options.program) || !goScript.empty())
    command.push_back("node");
  if (!goScript.empty()) {
    auto script = findInstalledFile("share/warpo/js/host/go.mjs");
    if (!script)
      return script.takeError();
    command.push_back(*script);
    command.push_back(goScript.str());
  }
  command.push_back(options.program);
  append_range(command, options.arguments);
  return command;
}

/// Runs a command, whose processes of Node are recorded.
Expected<int> recordNode(const RecordToolOptions &options, std::vector<std::string> arguments,
                         StringRef record, const TemporaryFolder &folder) {
  StringRef program = options.program;
  auto script = findInstalledFile("share/warpo/js/register.mjs");
  if (!script)
    return script.takeError();
  auto path = sys::findProgramByName(arguments.front());
  if (!path)
    return makeError("there is no program '" + arguments.front() + "' on the PATH");

  std::string recordFolder = folder.file("records"), moduleFolder = folder.file("modules");
  for (const std::string &name : {recordFolder, moduleFolder})
    if (std::error_code code = sys::fs::create_directory(name))
      return fileError(name, code);
  const char *before = std::getenv("NODE_OPTIONS");
  std::string nodeOptions = "--import=file://" + *script;
  setenv("NODE_OPTIONS", (before ? std::string(before) + " " + nodeOptions : nodeOptions).c_str(),
         1);
  if (instruments(options)) {
    std::string instrumentations = instrumentationsOf(options);
    if (auto size = given(options.heapSampleEvery)) {
      auto interval = readHeapInterval(*size);
      if (!interval)
        return interval.takeError();
      setenv("WARPO_RECORDER_HEAP_SAMPLE_EVERY", std::to_string(*interval).c_str(), 1);
      instrumentations += (" " + engineStack).str();
    }
    if (given(options.allocator)) {
      if (StringRef(options.allocator).find_first_of(" \t\n") != StringRef::npos)
        return makeError("--allocator='" + options.allocator +
                         "': a name with a space cannot be passed on for a script's modules; use "
                         "func[N], with the function's number");
      instrumentations += " --allocator=" + options.allocator;
    }
    setenv("WARPO_RECORDER_INSTRUMENT", instrumentations.c_str(), 1);
    setenv("WARPO_RECORDER_INSTRUMENT_FOLDER", moduleFolder.c_str(), 1);
    unsetenv("WARPO_RECORDER_SAMPLER");
  } else {
    setenv("WARPO_RECORDER_SAMPLER", "engine", 1);
    unsetenv("WARPO_RECORDER_INSTRUMENT");
  }
  // This belongs to no process: each writes its own file, with its number in the name.
  setenv("WARPO_RECORDER_PROCESS", "0", 1);
  // It is said here, of all processes together, if nothing was recorded.
  setenv("WARPO_RECORDER_QUIET", "1", 1);
  setenv("WARPO_RECORDER_FILE", (recordFolder + "/process").c_str(), 1);
  if (given(options.frequency))
    setenv("WARPO_RECORDER_FREQUENCY", std::to_string(options.frequency).c_str(), 1);
  auto code = runProgram(*path, std::move(arguments));
  if (!code)
    return code;
  std::vector<std::string> records = filesIn(recordFolder);
  if (!records.empty()) {
    if (Error error = mergeRecords(records, record))
      return error;
    return code;
  }
  Error nothing = fileError(program, instruments(options)
                                         ? "nothing was recorded: no WebAssembly was instrumented"
                                         : "nothing was recorded: no WebAssembly was compiled");
  if (*code == 0)
    return nothing;
  // The program reports its own errors, and its exit code is passed on.
  warn(toString(std::move(nothing)));
  return code;
}

/// V8 in the browser samples a page; what it writes is no record of ours, but a profile.
Expected<int> recordPage(const RecordToolOptions &options, StringRef record,
                         const TemporaryFolder &folder) {
  if (instruments(options))
    return fileError(options.program,
                     "a page is sampled as it is; js/README.md says how to record its calls");
  if (record == "-" || !options.arguments.empty())
    return fileError(options.program,
                     record == "-" ? "a page's profile goes to a file" : "a page has no arguments");
  auto node = sys::findProgramByName("node");
  if (!node)
    return makeError("there is no program 'node' on the PATH");
  auto script = findInstalledFile("share/warpo/js/host/page.mjs");
  if (!script)
    return script.takeError();
  auto browserFolder = folder.makeFolder("browser");
  if (!browserFolder)
    return browserFolder.takeError();
  uint64_t frequency = given(options.frequency) ? uint64_t(options.frequency) : 1000;
  return runProgram(*node, {"node", *script, options.program, record.str(), *browserFolder,
                            std::to_string(std::max<uint64_t>(1, 1'000'000 / frequency))});
}

Expected<int> recordByKind(const RecordToolOptions &options, ProgramKind kind, StringRef record,
                           const TemporaryFolder &folder) {
  bool isModule = kind == ProgramKind::module;
  ModuleRun run;
  if (isModule) {
    auto checked = checkRunnable(options.program, options.invoke);
    if (!checked)
      return checked.takeError();
    run = std::move(*checked);
  }
  if (isModule && run.goScript.empty())
    return recordModule(options, run.invoke, record, folder);
  if (Error error = refuseValuesForRun(options))
    return error;
  if (kind == ProgramKind::page)
    return recordPage(options, record, folder);
  auto command = commandOfNode(options, run.goScript);
  if (!command)
    return command.takeError();
  return recordNode(options, std::move(*command), record, folder);
}

/// What makes a module of another order with the record. Of a script's modules only the user knows
/// the files.
void showOrderCommands(const RecordToolOptions &options, StringRef record, bool isModule) {
  std::string module = isModule ? shellWord(options.program) : "<module>.wasm";
  std::string stem = sys::path::stem(isModule ? StringRef(module) : record).str();
  std::string order = shellWord(stem + ".order");
  note("next: warpo order --module-file=" + module + " " + shellWord(record) + " -o " + order);
  note("      warpo reorder " + module + " --order=" + order + " -o " +
       shellWord(stem + ".ordered.wasm"));
}

/// Where the time went, and what shows more of it.
Error showRecord(const RecordToolOptions &options, StringRef record) {
  std::vector<std::string> arguments{"--format=bars", "--top=10", record.str()};
  if (options.fuel)
    arguments.push_back("--weight=fuel");
  if (options.heap)
    arguments = {"--heap", record.str()};
  auto code = runTool("warpo-report", arguments, /*outputToStderr=*/true);
  if (!code)
    return code.takeError();
  std::string file = shellWord(record);
  note("next: warpo open " + file);
  if (isRecordFile(record))
    note("      warpo timeline " + file + " -o " +
         shellWord((sys::path::stem(record) + ".pftrace").str()) + "   # ui.perfetto.dev");
  return Error::success();
}

/// A slip that would change what is run without a word.
void warnOfOwnOptions(const RecordToolOptions &options) {
  for (StringRef argument : options.arguments) {
    if (argument == "--")
      return;
    StringRef name = argument.take_until([](char c) { return c == '='; }).ltrim('-');
    if (argument.starts_with("-") && cl::getRegisteredOptions().contains(name))
      warn(argument + " is an argument of " + options.program +
           "; options of warpo-record stand before the program");
  }
}

} // namespace

Expected<int> warpo::recordProgram(const RecordToolOptions &options) {
  StringRef program = options.program;
  if (options.listEngines)
    return runTool("warpo-run", {"--list-engines"});
  if (program.empty())
    return makeError("no program given");
  bool isFile = program == "-" || sys::fs::exists(program);
  if (!isFile && !sys::findProgramByName(program))
    return fileError(program, "neither a file nor a program on the PATH");
  if (isFile && program != "-" && isRecordFile(program))
    return fileError(program, "a record already: warpo open " + shellWord(program) + " shows it");
  ProgramKind kind = kindOf(program);
  if (kind == ProgramKind::module && program != "-" && !isWasm(program))
    return fileError(program, "neither a WebAssembly module nor a script for Node (.js, .mjs, "
                              ".cjs); docs/recipes.md says how programs are compiled");
  // All arguments of a command are its own.
  if (kind != ProgramKind::command)
    warnOfOwnOptions(options);
  std::string record = options.record;
  if (record.empty())
    record =
        (sys::path::stem(program) + (kind == ProgramKind::page ? ".cpuprofile" : ".warpo")).str();
  for (StringRef link : options.links)
    if (Error error = FilesInUse::enterInput(link.split('=').second))
      return error;
  if (Error error = FilesInUse::checkOutput(record))
    return error;
  // A run that records nothing leaves none of an earlier one.
  removeOldRecord(record);
  auto folder = TemporaryFolder::create("warpo-record");
  if (!folder)
    return folder.takeError();
  auto code = recordByKind(options, kind, record, *folder);
  if (!code || record == "-")
    return code;
  // A page's profile is no record.
  if (kind == ProgramKind::page ? *code == RunToolOptions::failureCode : !isRecordFile(record))
    return code;
  if (!options.quiet && options.order)
    showOrderCommands(options, record, kind == ProgramKind::module);
  else if (!options.quiet)
    if (Error error = showRecord(options, record))
      return error;
  if (options.open)
    if (auto opened = runTool("warpo-open", record); !opened)
      return opened.takeError();
  return code;
}
