//===- OtherTools.h - Tools that run others as steps ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_OTHERTOOLS_H
#define WARPO_TOOLING_OTHERTOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// Runs a program with our standard streams until it has ended; returns its exit code. An error if
/// it cannot be started or a signal has ended it. `path` is absolute, the first argument the
/// program's name.
llvm::Expected<int> runProgram(llvm::StringRef path, std::vector<std::string> arguments,
                               bool outputToStderr = false);

/// The same for a program that is recorded: a signal that would end this process ends the program
/// alone, so that what was recorded by then is kept. Returns 128 and the signal's number if it has.
llvm::Expected<int> runRecorded(llvm::StringRef path, std::vector<std::string> arguments);

/// The same as runProgram() for one of our tools; `arguments` are without its name.
llvm::Expected<int> runTool(llvm::StringRef tool, llvm::ArrayRef<std::string> arguments,
                            bool outputToStderr = false);

/// Runs one of our tools that has to succeed; warnings of a damaged input are no failure.
llvm::Error runStep(llvm::StringRef tool, llvm::ArrayRef<std::string> arguments);

} // namespace warpo

#endif
