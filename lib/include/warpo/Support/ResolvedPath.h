//===- ResolvedPath.h - Canonical paths -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_RESOLVEDPATH_H
#define WARPO_SUPPORT_RESOLVEDPATH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// The absolute path of a file or folder, without links, `.` and `..`. If it does not exist, only
/// its folder is resolved; if that does not exist either, the path is normalised as text. An empty
/// path is the current folder.
std::string resolvedPath(llvm::StringRef path);

/// The path from a folder to a file; both are resolved first.
std::string relativePath(llvm::StringRef file, llvm::StringRef folder);

/// The target of a link, following further links, even if it does not exist; for anything else the
/// path itself.
llvm::Expected<std::string> followLinks(llvm::StringRef path);

} // namespace warpo

#endif
