//===- CommandTool.h - What `warpo` does ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COMMANDTOOL_H
#define WARPO_TOOLING_COMMANDTOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// `warpo <command> …` becomes `warpo-<command> …`: a tool beside this program or on the PATH. Of
/// its own it has `help` and `version`. `arguments` are those of main, the program's name included.
/// Returns an exit code, or not at all where another program takes over.
llvm::Expected<int> runCommand(llvm::ArrayRef<char *> arguments);

} // namespace warpo

#endif
