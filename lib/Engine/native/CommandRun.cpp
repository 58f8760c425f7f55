//===- CommandRun.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CommandRun.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <deque>

using namespace llvm;
using namespace warpo;

static Expected<sys::ProcessInfo> start(const CommandRun &run) {
  std::vector<StringRef> arguments = {run.program};
  arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(run.output),
                                          StringRef(run.output)};
  std::string error;
  bool failed = false;
  sys::ProcessInfo process = sys::ExecuteNoWait(run.program, arguments, /*Env=*/std::nullopt,
                                                redirects, /*MemoryLimit=*/0, &error, &failed);
  if (failed)
    return fileError(run.program, error);
  return process;
}

static CommandResult finish(const CommandRun &run, const sys::ProcessInfo &process) {
  std::string end;
  int code = sys::Wait(process, /*SecondsToWait=*/std::nullopt, &end).ReturnCode;
  CommandResult result;
  result.succeeded = code == 0;
  if (auto output = MemoryBuffer::getFile(run.output))
    result.words = asMessage((*output)->getBuffer());
  if (result.words.empty())
    result.words = "it ended with " + (code < 0 ? "'" + StringRef(end).trim().str() + "'"
                                                : "exit code " + std::to_string(code));
  return result;
}

Expected<std::vector<CommandResult>> warpo::runCommands(ArrayRef<CommandRun> runs, size_t atOnce) {
  std::vector<CommandResult> results;
  std::deque<sys::ProcessInfo> running;
  Error failure = Error::success();
  for (size_t next = 0; results.size() < runs.size();) {
    if (!failure && next < runs.size() && running.size() < atOnce) {
      if (auto process = start(runs[next]))
        running.push_back(*process);
      else
        failure = process.takeError();
      ++next;
      continue;
    }
    if (running.empty())
      break;
    results.push_back(finish(runs[results.size()], running.front()));
    running.pop_front();
  }
  if (failure)
    return failure;
  return results;
}
