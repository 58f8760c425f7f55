//===- RecordTool.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Starts a tool for each step, like a shell script: all can be done by hand as well.
//
//===----------------------------------------------------------------------===//

#include "warpo/Tooling/RecordTool.h"
#include "../common/OtherTools.h"
#include "../common/TemporaryFolder.h"
#include "../running/OldRecord.h"
#include "Advice.h"
#include "Instrumenting.h"
#include "NodeRun.h"
#include "PlainPlaces.h"
#include "RecordedFiles.h"
#include "RunnableModule.h"
#include "warpo/Counts/CountFile.h"
#include "warpo/Sampling/SampleClock.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/ShellWord.h"
#include "warpo/Tooling/CoverageTool.h"
#include "warpo/Tooling/ReportTool.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <csignal>

using namespace llvm;
using namespace warpo;

namespace {

bool isScript(StringRef program) {
  return is_contained({".js", ".mjs", ".cjs"}, sys::path::extension(program));
}

/// By its name or its first bytes, as linkers make modules executable.
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

/// Fails for options of warpo-run, which only apply to modules.
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

/// The options passed on to warpo-run.
std::vector<std::string> optionsOfRun(const RecordToolOptions &options) {
  std::vector<std::string> arguments;
  auto pass = [&](const cl::Option &option, StringRef value) {
    if (option.getNumOccurrences() > 0)
      arguments.push_back(("--" + option.ArgStr + "=" + value).str());
  };
  for (const auto &[option, value] : valuesForRun(options))
    pass(*option, value);
  // warpo-run needs plugins for their engines.
  if (cl::Option *plugins = cl::getRegisteredOptions().lookup("load-plugin"))
    for (StringRef plugin : *static_cast<TextsOption *>(plugins))
      pass(*plugins, plugin);
  pass(options.countsOf, options.countsOf);
  pass(options.heapSampleEvery, options.heapSampleEvery);
  if (given(options.frequency))
    pass(options.frequency, std::to_string(options.frequency));
  if (!instruments(options))
    arguments.push_back("--sample");
  // Hides the path of counts, which is temporary.
  if (options.quiet || options.counts)
    arguments.push_back("-q");
  return arguments;
}

Expected<int> recordModule(const RecordToolOptions &options, StringRef invoke, StringRef record,
                           const TemporaryFolder &folder) {
  std::string program = options.program;
  ProgramInstrumenter instrumenter(options, folder);
  if (instruments(options))
    if (Error error = instrumenter.instrument(program))
      return error;
  auto tool = findInstalledFile("bin/warpo-run");
  if (!tool)
    return tool.takeError();
  std::vector<std::string> arguments{"warpo-run"}, modules{program};
  append_range(arguments, optionsOfRun(options));
  for (StringRef link : options.links) {
    auto [name, path] = link.split('=');
    std::string module = path.str();
    modules.push_back(module);
    if (instruments(options))
      if (Error error = instrumenter.instrument(module))
        return error;
    arguments.push_back(("--link=" + name + "=" + module).str());
  }
  if (!invoke.empty())
    arguments.push_back(("--invoke=" + invoke).str());
  std::string countsFolder = folder.file("counts");
  if (options.counts)
    if (std::error_code code = sys::fs::create_directory(countsFolder))
      return fileError(countsFolder, code);
  // Counts go to a file beside this record, which is only written if the program names sections.
  std::string file = options.counts ? countsFolder + "/run.warpo" : record.str();
  arguments.push_back("--record=" + file);
  arguments.push_back(program);
  arguments.push_back("--");
  append_range(arguments, options.arguments);
  auto code = runRecorded(*tool, std::move(arguments));
  if (!code)
    return code;
  if (options.counts) {
    if (Error error = joinRecorded(countsFolder, RecordedKind::counts, record).takeError())
      return error;
  } else if (!instruments(options) && record != "-" && isRecordFile(record)) {
    if (Error error = addPlainPlaces(record, modules, folder))
      return error;
  }
  return code;
}

/// The command to run for a script, a module of Go's compiler (`goScript` is not empty), or a
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

/// For a page, V8 in the browser samples; the result is a profile, not a record.
Expected<int> recordPage(const RecordToolOptions &options, StringRef record,
                         const TemporaryFolder &folder) {
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
  return runRecorded(*node, {"node", *script, options.program, record.str(), *browserFolder,
                             std::to_string(1'000'000 / options.frequency)});
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

StringRef extensionOf(const RecordToolOptions &options, ProgramKind kind) {
  if (options.counts)
    return countFileExtension;
  return kind == ProgramKind::page ? ".cpuprofile" : ".warpo";
}

/// Whether the requested results exist.
bool isRecorded(const RecordToolOptions &options, ProgramKind kind, StringRef record, int code) {
  // A page's profile is not a record.
  if (kind == ProgramKind::page)
    return code != RunToolOptions::failureCode;
  return options.counts ? holdsCounts(record) : isRecordFile(record);
}

/// The exit code if the program's is 0 and warpo-report, asked for leaks, ended with `reported`.
int codeOfLeaks(int reported) {
  bool isKnown = reported == int(ToolResult::done) || reported == int(ToolResult::increased);
  return isKnown ? reported : RunToolOptions::failureCode;
}

/// Refuses what could not be checked for leaks.
Error checkLeakOptions(const RecordToolOptions &options) {
  if (!given(options.failOnLeaks))
    return Error::success();
  if (options.record == "-")
    return makeError("--fail-on-leaks reads the record again, which -o - does not keep");
  return readAllowedLeaks(options.failOnLeaks).takeError();
}

/// Warns about options after the program, which belong to the program.
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

/// The kind of the program; fails if it cannot be recorded as the options say.
Expected<ProgramKind> checkedKind(const RecordToolOptions &options) {
  StringRef program = options.program;
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
  if (kind == ProgramKind::page && instruments(options))
    return fileError(program,
                     "a page is sampled as it is; js/README.md says how to record its calls");
  if (Error error = options.frequency.check())
    return error;
  if (Error error = checkLeakOptions(options))
    return error;
  return kind;
}

} // namespace

Expected<int> warpo::recordProgram(const RecordToolOptions &options) {
  StringRef program = options.program;
  if (options.listEngines)
    return runTool("warpo-run", {"--list-engines"});
  auto kind = checkedKind(options);
  if (!kind)
    return kind.takeError();
  // Everything after a command belongs to it.
  if (*kind != ProgramKind::command)
    warnOfOwnOptions(options);
  std::string record = options.record;
  if (record.empty())
    record = (sys::path::stem(program) + extensionOf(options, *kind)).str();
  for (StringRef link : options.links)
    if (Error error = FilesInUse::enterInput(link.split('=').second))
      return error;
  if (Error error = FilesInUse::checkOutput(record))
    return error;
  // An earlier record must not remain if this run records nothing.
  removeOldRecord(record);
  auto folder = TemporaryFolder::create("warpo-record");
  if (!folder)
    return folder.takeError();
  auto code = recordByKind(options, *kind, record, *folder);
  if (!code || record == "-")
    return code;
  if (!isRecorded(options, *kind, record, *code)) {
    bool isEndOfSignal = is_contained({128 + SIGHUP, 128 + SIGINT, 128 + SIGTERM}, *code);
    // Other cases have been reported.
    if (isEndOfSignal && *kind == ProgramKind::module) {
      removeOldRecord(record);
      warn(program + ": nothing was recorded before the signal that ended it");
    }
    if (given(options.failOnLeaks) && *code == 0)
      return RunToolOptions::failureCode;
    return code;
  }
  bool checksLeaks = given(options.failOnLeaks).has_value();
  if (!options.quiet || checksLeaks) {
    auto shown = showRecorded(options, record, *kind == ProgramKind::module);
    if (!shown)
      return shown.takeError();
    if (checksLeaks && *code == 0)
      *code = codeOfLeaks(*shown);
  }
  if (options.open)
    if (auto opened = runTool("warpo-open", record); !opened)
      return opened.takeError();
  return code;
}
