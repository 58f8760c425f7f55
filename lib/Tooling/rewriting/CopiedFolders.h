//===- CopiedFolders.h - Copies of folders for a run of a program ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COPIEDFOLDERS_H
#define WARPO_TOOLING_COPIEDFOLDERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace warpo {

/// Copies of folders, removed by the destructor.
class CopiedFolders {
public:
  /// Copies are in `root`, which must not exist yet.
  explicit CopiedFolders(std::string root) : root_(std::move(root)) {}
  CopiedFolders(const CopiedFolders &) = delete;
  CopiedFolders &operator=(const CopiedFolders &) = delete;
  ~CopiedFolders();

  /// `directory` is the value of `--dir`; returns the value for the copy. Keeps links in the
  /// folder; fails for anything but files, folders and links.
  llvm::Expected<std::string> add(llvm::StringRef directory);
  /// Adds hashes of the current contents, by the paths that the program sees.
  llvm::Error hash(std::map<std::string, std::string> &files) const;

private:
  std::string root_;
  /// The path of each copy, and its path in the program.
  std::vector<std::pair<std::string, std::string>> folders_;
};

} // namespace warpo

#endif
