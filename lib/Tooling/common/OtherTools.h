//===- OtherTools.h - Runs other tools ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_OTHERTOOLS_H
#define WARPO_TOOLING_OTHERTOOLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// Runs a program with our standard streams until it has ended; returns its exit code. Fails if it
/// cannot be started or was ended by a signal. `path` is absolute; the first argument is the
/// program's name.
llvm::Expected<int> runProgram(llvm::StringRef path, std::vector<std::string> arguments,
                               bool outputToStderr = false);

/// The same for a recorded program: a signal that would end this process only ends the program, so
/// that the record up to then is kept. Returns 128 plus the number of a signal that ended the
/// program, and warns if it was another one. `signalFolder`: of ChildProcess.
llvm::Expected<int> runRecorded(llvm::StringRef path, std::vector<std::string> arguments,
                                llvm::StringRef signalFolder = "");

/// Like runProgram(), for one of our tools; `arguments` do not include its name.
llvm::Expected<int> runTool(llvm::StringRef tool, llvm::ArrayRef<std::string> arguments,
                            bool outputToStderr = false);

/// Runs one of our tools, which has to succeed; a damaged input is not a failure.
llvm::Error runStep(llvm::StringRef tool, llvm::ArrayRef<std::string> arguments);

} // namespace warpo

#endif
