//===- BeneathPath.h - Paths that do not leave their folder ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel resolves all but the last name of a path, and refuses to leave the folder by `..`,
// absolute paths or links, even if the folder changes meanwhile. The last name is passed to the
// `*at` system calls, which do not follow it if it is a link.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_WASI_BENEATHPATH_H
#define WARPO_LIB_ENGINE_WASI_BENEATHPATH_H

#include "Descriptors.h"

namespace warpo::wasi {

/// Whether the kernel supports that. `folder` is any open folder.
bool canResolveBeneath(int folder);

/// A resolved path.
struct Place {
  /// The folder of the last name.
  int parent = -1;
  /// `.` for the folder itself. Never `..`, and without a slash.
  std::string name;
  /// Whether the path ends in a slash, so that it must be a folder.
  bool hasSlash = false;

  bool isParent() const { return name == "."; }
  /// The name with the slash, for calls that do not follow links even then.
  std::string nameWithSlash() const { return hasSlash ? name + "/" : name; }

  /// Owns `parent`, unless that is the folder in which the path began.
  OwnedDescriptor owner;
};

/// Whether to follow a link at the end of a path.
enum class LastLink { keep, followBeforeSlash, follow };

Errno resolveBeneath(int folder, llvm::StringRef path, LastLink lastLink, Place &place);

/// Checks that a new link in the folder `parent` stays within `root`, which contains `parent`. An
/// absolute target is notPermitted. A target with too many `..` is notCapable, as is one with `..`
/// behind a name, which may become a link.
Errno checkLinkTarget(int parent, const FileId &root, llvm::StringRef target);

} // namespace warpo::wasi

#endif
