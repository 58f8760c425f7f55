//===- CommandRun.h - Runs other programs, keeps their output -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_COMMANDRUN_H
#define WARPO_LIB_ENGINE_NATIVE_COMMANDRUN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// A program to run. Its output goes to the file `output`; its input is empty.
struct CommandRun {
  /// An absolute path; `arguments` are without the program's name.
  std::string program;
  std::vector<std::string> arguments;
  std::string output;
};

struct CommandResult {
  bool succeeded = false;
  /// The program's output, fit for a message; if it printed nothing, how it ended.
  std::string words;
};

/// Runs programs, at most `atOnce` at a time, until all have ended; the results are in the same
/// order. Fails if one cannot be started.
llvm::Expected<std::vector<CommandResult>> runCommands(llvm::ArrayRef<CommandRun> runs,
                                                       size_t atOnce);

} // namespace warpo

#endif
