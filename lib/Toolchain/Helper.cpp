//===- Helper.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Toolchain/Helper.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Support/MemoryFile.h"
#include <unistd.h>

using namespace llvm;
using namespace warpo;

Expected<HelperEnd> warpo::runHelper(StringRef name, ArrayRef<std::string> arguments,
                                     StringRef input) {
  std::string path = (WARPO_HELPERS "/" + name).str();
  auto program = findInstalledFile(path);
  if (!program)
    return program.takeError();
  auto inputFile = MemoryFile::create();
  if (!inputFile)
    return inputFile.takeError();
  if (Error error = inputFile->fill(input))
    return error;
  auto wordsFile = MemoryFile::create();
  if (!wordsFile)
    return wordsFile.takeError();

  ChildProcess child;
  child.program = *program;
  child.arguments = {name.str()};
  child.arguments.insert(child.arguments.end(), arguments.begin(), arguments.end());
  // A library's standard output is part of its message.
  child.descriptors = {{inputFile->descriptor(), STDIN_FILENO},
                       {wordsFile->descriptor(), STDOUT_FILENO},
                       {wordsFile->descriptor(), STDERR_FILENO}};
  auto end = runChild(child);
  if (!end)
    return end.takeError();
  HelperEnd result;
  result.result = std::move(end->answer);
  result.exitCode = end->exitCode;
  result.words = asMessage(wordsFile->head(4096));
  if (result.words.empty())
    result.words = end->description;
  return result;
}
