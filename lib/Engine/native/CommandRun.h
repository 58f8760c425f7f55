//===- CommandRun.h - Other programs that leave files and words -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_COMMANDRUN_H
#define WARPO_LIB_ENGINE_NATIVE_COMMANDRUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// A program to run: what it prints goes to the file `output`, it has nothing to read.
struct CommandRun {
  /// An absolute path, and the arguments without the program's name.
  std::string program;
  std::vector<std::string> arguments;
  std::string output;
};

struct CommandResult {
  bool succeeded = false;
  /// What the program printed, fit for a message; how it ended, if it printed nothing.
  std::string words;
};

/// Runs programs, at most `atOnce` at a time, until all have ended; the results are in the same
/// order. An error if one cannot be started.
llvm::Expected<std::vector<CommandResult>> runCommands(llvm::ArrayRef<CommandRun> runs,
                                                       size_t atOnce);

} // namespace warpo

#endif
