//===- Landlock.h - Files that a child process may open -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Linux's Landlock takes from a process the right to open files, and it cannot get that back, nor
// can what it starts. What is open already is not touched; neither are names and status of files:
// whoever knows a path still learns whether there is something.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_LANDLOCK_H
#define WARPO_SUPPORT_LANDLOCK_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// Files, and folders with all that lies in them. What is not there is left out.
struct FileAccess {
  /// To read and to execute.
  std::vector<std::string> readable;
  /// To read, and to do anything else with but execute.
  std::vector<std::string> writable;
};

/// Whether this kernel can do it: Linux 5.19 or newer, with Landlock switched on. Older ones refuse
/// to move files from folder to folder.
bool hasLandlock();

/// Confines this thread, and what it starts from now on, to these files.
llvm::Error confineThread(const FileAccess &access);

} // namespace warpo

#endif
