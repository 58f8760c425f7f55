//===- ProgramTrial.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ProgramTrial.h"
#include "CopiedFolders.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/OwnedDescriptor.h"
#include "warpo/Tooling/RunTool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

std::string warpo::differenceOf(const TrialResult &left, const TrialResult &right) {
  if (left.exitCode != right.exitCode)
    return "the exit code (" + std::to_string(left.exitCode) + ", " +
           std::to_string(right.exitCode) + ")";
  if (left.output != right.output)
    return "standard output";
  for (auto [some, others] : {std::pair(&left.files, &right.files), {&right.files, &left.files}})
    for (const auto &[path, contents] : *some)
      if (auto other = others->find(path); other == others->end() || other->second != contents)
        return "the file " + path;
  return "";
}

static Expected<std::string> readFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/true);
  if (!file)
    return fileError(path, file.getError());
  return (*file)->getBuffer().str();
}

static double secondsOfChildren() {
  rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  auto seconds = [](const timeval &time) {
    return double(time.tv_sec) + double(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// A program may end with warpo-run's own exit code for failures, for which warpo-run prints a
// message.
static bool isFailureOfRun(const ChildEnd &end, StringRef messages) {
  constexpr StringLiteral failure = "warpo-run: error: ";
  return end.exitCode < 0 ||
         (end.exitCode == RunToolOptions::failureCode &&
          (messages.starts_with(failure) || messages.contains(("\n" + failure).str())));
}

Expected<TrialResult> ProgramTrials::run(StringRef module, StringRef arguments,
                                         std::vector<std::string> more) const {
  ChildProcess child;
  auto tool = findInstalledFile("bin/warpo-run");
  if (!tool)
    return tool.takeError();
  child.program = *tool;
  child.arguments = {"warpo-run", "-q"};
  append_range(child.arguments, options_);
  append_range(child.arguments, more);
  CopiedFolders folders(folder_.file("seen"));
  for (const std::string &directory : directories_) {
    auto copy = folders.add(directory);
    if (!copy)
      return copy.takeError();
    child.arguments.push_back("--dir=" + *copy);
  }
  child.arguments.insert(child.arguments.end(), {module.str(), "--"});
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(arguments, saver, words);
  append_range(child.arguments, words);

  std::string output = folder_.file("stdout"), messages = folder_.file("stderr");
  OwnedDescriptor in(open("/dev/null", O_RDONLY | O_CLOEXEC)),
      out(open(output.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)),
      err(open(messages.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (in.get() < 0 || out.get() < 0 || err.get() < 0)
    return fileError(output, std::error_code(errno, std::generic_category()));
  child.descriptors = {
      {in.get(), STDIN_FILENO}, {out.get(), STDOUT_FILENO}, {err.get(), STDERR_FILENO}};
  double before = secondsOfChildren();
  auto end = runChild(child);
  if (!end)
    return end.takeError();
  TrialResult result;
  result.seconds = secondsOfChildren() - before;
  result.exitCode = end->exitCode;
  auto said = readFile(messages);
  if (!said)
    return said.takeError();
  if (isFailureOfRun(*end, *said))
    return makeError("warpo-run of " + module + " ended with " + end->description +
                     (said->empty() ? "" : ": " + asMessage(*said)));
  auto text = readFile(output);
  if (!text)
    return text.takeError();
  result.output = std::move(*text);
  if (Error error = folders.hash(result.files))
    return error;
  return result;
}
