//===- ResolvedPath.h - One spelling for one file -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_RESOLVEDPATH_H
#define WARPO_SUPPORT_RESOLVEDPATH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// The absolute path of a file or folder, without links, `.` and `..`. What does not exist yet is
/// resolved as far as its folder; where that does not exist either, its text alone decides. An
/// empty path is the present folder.
std::string resolvedPath(llvm::StringRef path);

/// The path from a folder to a file; both are resolved first.
std::string relativePath(llvm::StringRef file, llvm::StringRef folder);

/// What a link points to, over further links, whether that exists or not; of anything else the path
/// itself.
llvm::Expected<std::string> followLinks(llvm::StringRef path);

} // namespace warpo

#endif
