//===- ResolvedPath.h - One spelling for one file -------------------------===//

#ifndef WARPO_SUPPORT_RESOLVEDPATH_H
#define WARPO_SUPPORT_RESOLVEDPATH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// The absolute path of a file or folder, without links, `.` and `..`. What does not exist yet is
/// resolved as far as its folder; where that does not exist either, its text alone decides. An
/// empty path is the present folder.
std::string resolvedPath(llvm::StringRef path);

/// The path from a folder to a file; both are resolved first.
std::string relativePath(llvm::StringRef file, llvm::StringRef folder);

} // namespace warpo

#endif
