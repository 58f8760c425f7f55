//===- SourcePaths.h - Displayed paths of source files --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_SOURCEPATHS_H
#define WARPO_SUPPORT_SOURCEPATHS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpo {

/// A path without the leading `./` that compilers such as asc write.
llvm::StringRef plainPath(llvm::StringRef path);

/// Implements --trim-path and --source-root.
class SourcePaths {
public:
  /// Removes the longest matching prefix, which must end at the end of a name in the path. A path
  /// that is then relative is appended to `root`, unless that is empty.
  SourcePaths(std::vector<std::string> prefixes, std::string root)
      : prefixes_(std::move(prefixes)), root_(std::move(root)) {}

  std::string operator()(llvm::StringRef path) const;

private:
  std::vector<std::string> prefixes_;
  std::string root_;
};

} // namespace warpo

#endif
