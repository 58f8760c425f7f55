//===- SourcePaths.h - Paths of source files, as they are shown -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SOURCEPATHS_H
#define WARPO_SUPPORT_SOURCEPATHS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpo {

/// A path without the `./` that compilers such as asc put in front.
llvm::StringRef plainPath(llvm::StringRef path);

/// What --trim-path and --source-root make of the paths that compilers wrote.
class SourcePaths {
public:
  /// Of the prefixes, which end where a name in the path does, the longest is left out. A path that
  /// is relative then goes behind `root`, unless that is empty.
  SourcePaths(std::vector<std::string> prefixes, std::string root)
      : prefixes_(std::move(prefixes)), root_(std::move(root)) {}

  std::string operator()(llvm::StringRef path) const;

private:
  std::vector<std::string> prefixes_;
  std::string root_;
};

} // namespace warpo

#endif
