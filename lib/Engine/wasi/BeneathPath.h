//===- BeneathPath.h - Paths that do not leave the folder they begin in ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel resolves them, all but their last name, and refuses what leads out: `..`, absolute
// paths and links, wherever they come from and whatever changes in the folder meanwhile. The last
// name is for the `*at` system calls, which do not follow it if it is a link.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_WASI_BENEATHPATH_H
#define WARPO_LIB_ENGINE_WASI_BENEATHPATH_H

#include "Descriptors.h"

namespace warpo::wasi {

/// Whether the kernel can do it. `folder` is any open one.
bool canResolveBeneath(int folder);

/// Where a path leads.
struct Place {
  /// The folder that the last name lies in.
  int parent = -1;
  /// `.` for the folder itself. Never `..`, and without a slash.
  std::string name;
  /// The path ends in a slash, so that it means a folder.
  bool hasSlash = false;

  bool isParent() const { return name == "."; }
  /// The name with the slash, for calls that do not follow it then either.
  std::string nameWithSlash() const { return hasSlash ? name + "/" : name; }

  /// Closes the parent, unless it is the folder that the path began in.
  OwnedDescriptor owner;
};

/// What is done with a path that ends in the name of a link.
enum class LastLink { keep, followBeforeSlash, follow };

Errno resolveBeneath(int folder, llvm::StringRef path, LastLink lastLink, Place &place);

/// Whether a link with this target, made in the folder `parent`, stays within `root`, which that
/// lies in: an absolute one is notPermitted, one with more `..` than there are folders
/// notCapable, as is one that goes up again behind a name, since that may become a link.
Errno checkLinkTarget(int parent, const FileId &root, llvm::StringRef target);

} // namespace warpo::wasi

#endif
