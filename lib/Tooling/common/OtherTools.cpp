//===- OtherTools.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OtherTools.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include <csignal>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static Expected<int> run(const ChildProcess &child) {
  auto end = runChild(child);
  if (!end)
    return end.takeError();
  if (child.isOutlived && end->signal != 0) {
    if (!is_contained({SIGHUP, SIGINT, SIGTERM}, end->signal))
      warn(child.program + " ended with " + end->description);
    return 128 + end->signal;
  }
  if (end->exitCode < 0)
    return makeError(child.program + " ended with " + end->description);
  return end->exitCode;
}

Expected<int> warpo::runProgram(StringRef path, std::vector<std::string> arguments,
                                bool outputToStderr) {
  ChildProcess child;
  child.program = path.str();
  child.arguments = std::move(arguments);
  if (outputToStderr)
    child.descriptors.push_back({STDERR_FILENO, STDOUT_FILENO});
  return run(child);
}

Expected<int> warpo::runRecorded(StringRef path, std::vector<std::string> arguments,
                                 StringRef signalFolder) {
  ChildProcess child;
  child.signalFolder = signalFolder.str();
  child.program = path.str();
  child.arguments = std::move(arguments);
  child.isOutlived = true;
  return run(child);
}

Expected<int> warpo::runTool(StringRef tool, ArrayRef<std::string> arguments, bool outputToStderr) {
  auto path = findInstalledFile(("bin/" + tool).str());
  if (!path)
    return path.takeError();
  std::vector<std::string> all{tool.str()};
  append_range(all, arguments);
  return runProgram(*path, std::move(all), outputToStderr);
}

Error warpo::runStep(StringRef tool, ArrayRef<std::string> arguments) {
  auto code = runTool(tool, arguments);
  if (!code)
    return code.takeError();
  return *code == int(ToolResult::done) || *code == int(ToolResult::damaged)
             ? Error::success()
             : makeError(tool + " failed, see above");
}
