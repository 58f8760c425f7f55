//===- CommandTool.h - Runs the commands of `warpo` -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COMMANDTOOL_H
#define WARPO_TOOLING_COMMANDTOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// `warpo <command> …` executes `warpo-<command> …`, a tool beside this program or on the PATH.
/// Built in are only `help` and `version`. `arguments` are those of main, including the program's
/// name. Returns an exit code, unless another program replaces this process.
llvm::Expected<int> runCommand(llvm::ArrayRef<char *> arguments);

} // namespace warpo

#endif
