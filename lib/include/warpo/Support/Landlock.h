//===- Landlock.h - Files that a child process may open -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Linux's Landlock irrevocably takes the right to open files from a process and its children. It
// does not affect open files, nor names and status of files: a process can still find out whether a
// path exists.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_LANDLOCK_H
#define WARPO_SUPPORT_LANDLOCK_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// Files, and folders with everything below them. Missing ones are ignored.
struct FileAccess {
  /// May be read and executed.
  std::vector<std::string> readable;
  /// May be read, written, created, moved and removed, but not executed.
  std::vector<std::string> writable;
};

/// Whether this kernel supports it: Linux 5.19 or newer, with Landlock enabled. Older kernels do
/// not permit moving files between folders.
bool hasLandlock();

/// Confines this thread, and threads and processes started by it from now on, to these files.
llvm::Error confineThread(const FileAccess &access);

} // namespace warpo

#endif
