//===- NodeRun.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NodeRun.h"
#include "../common/OtherTools.h"
#include "../running/ArtifactFiles.h"
#include "../running/HeapInterval.h"
#include "../running/OuterRecording.h"
#include "Instrumenting.h"
#include "RecordedFiles.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

using namespace llvm;
using namespace warpo;

/// Makes Node instrument the modules that a program compiles.
static Error instrumentInNode(const RecordToolOptions &options, const std::string &moduleFolder) {
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
  return Error::success();
}

static StringRef whyNothing(const RecordToolOptions &options, StringRef moduleFolder,
                            int exitCode) {
  // 128 + signal, also as a shell returns it. After these three the program has written its record.
  bool isOfSignal = exitCode > 128 && exitCode <= 128 + SIGRTMAX;
  if (isOfSignal && !is_contained({128 + SIGHUP, 128 + SIGINT, 128 + SIGTERM}, exitCode))
    return "a signal ended it, and what it had recorded was only in its memory";
  if (!instruments(options))
    return "no WebAssembly was compiled";
  std::error_code code;
  bool isEmpty = sys::fs::directory_iterator(moduleFolder, code) == sys::fs::directory_iterator();
  return isEmpty ? "no WebAssembly was instrumented"
                 : "the instrumented WebAssembly never ran, or its threads were ended "
                   "before they could report";
}

static bool isAnyFile(StringRef folder, function_ref<bool(StringRef path)> isOne) {
  std::error_code code;
  for (sys::fs::directory_iterator file(folder, code), end; file != end && !code;
       file.increment(code))
    if (isOne(file->path()))
      return true;
  return false;
}

/// If a signal was passed on, waits, not for long, until the processes that listen for it have
/// written their records: that which started the others may be the first to end.
static void waitForProcesses(StringRef signalFolder) {
  using namespace std::chrono_literals;
  auto isOfSignal = [](StringRef path) { return sys::path::extension(path).starts_with(".SIG"); };
  auto isRunning = [](StringRef path) {
    pid_t process;
    return sys::path::extension(path) == ".listens" &&
           !sys::path::stem(path).getAsInteger(10, process) && kill(process, 0) == 0;
  };
  if (!isAnyFile(signalFolder, isOfSignal))
    return;
  for (auto end = std::chrono::steady_clock::now() + 5s;
       isAnyFile(signalFolder, isRunning) && std::chrono::steady_clock::now() < end;)
    std::this_thread::sleep_for(10ms);
}

Expected<int> warpo::recordNode(const RecordToolOptions &options, std::vector<std::string> command,
                                StringRef record, const TemporaryFolder &folder) {
  StringRef program = options.program;
  auto option = recordingOption();
  if (!option)
    return option.takeError();
  auto path = sys::findProgramByName(command.front());
  if (!path)
    return makeError("there is no program '" + command.front() + "' on the PATH");

  std::string recordFolder = folder.file("records"), moduleFolder = folder.file("modules");
  for (const std::string &name : {recordFolder, moduleFolder})
    if (std::error_code code = sys::fs::create_directory(name))
      return fileError(name, code);
  const char *before = std::getenv(nodeOptions);
  setenv(nodeOptions, (before ? std::string(before) + " " + *option : *option).c_str(), 1);
  if (instruments(options)) {
    if (Error error = instrumentInNode(options, moduleFolder))
      return error;
    unsetenv("WARPO_RECORDER_SAMPLER");
  } else {
    setenv("WARPO_RECORDER_SAMPLER", "engine", 1);
    unsetenv("WARPO_RECORDER_INSTRUMENT");
  }
  // Not set for a certain process: each writes its own file, with its number in the name.
  setenv("WARPO_RECORDER_PROCESS", "0", 1);
  // Processes need not report that they recorded nothing: this is checked below for all.
  setenv("WARPO_RECORDER_QUIET", "1", 1);
  setenv("WARPO_RECORDER_FILE", (recordFolder + "/process").c_str(), 1);
  if (given(options.countsOf))
    setenv("WARPO_RECORDER_COUNTS_OF", options.countsOf.c_str(), 1);
  if (given(options.frequency))
    setenv("WARPO_RECORDER_FREQUENCY", std::to_string(options.frequency).c_str(), 1);
  auto signalFolder = folder.makeFolder("signals");
  if (!signalFolder)
    return signalFolder.takeError();
  setenv("WARPO_RECORDER_SIGNALS", signalFolder->c_str(), 1);
  auto code = runRecorded(*path, std::move(command), *signalFolder);
  if (!code)
    return code;
  waitForProcesses(*signalFolder);
  auto isAny = joinRecorded(recordFolder, recordedKind(options), record);
  if (!isAny)
    return isAny.takeError();
  if (*isAny && given(options.countsOf) && record != "-")
    if (auto counts = MemoryBuffer::getFile(record))
      warnOfEmptyCounts((*counts)->getBuffer(), options.countsOf);
  if (*isAny)
    return code;
  Error nothing =
      fileError(program, "nothing was recorded: " + whyNothing(options, moduleFolder, *code));
  if (*code == 0)
    return nothing;
  // The program has reported its errors, and its exit code is returned.
  warn(toString(std::move(nothing)));
  return code;
}
