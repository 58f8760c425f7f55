//===- CopiedFolders.h - The folders that one run of a program sees -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COPIEDFOLDERS_H
#define WARPO_TOOLING_COPIEDFOLDERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace warpo {

/// Copies of folders, removed at the end.
class CopiedFolders {
public:
  /// They lie in `root`, which does not exist yet.
  explicit CopiedFolders(std::string root) : root_(std::move(root)) {}
  CopiedFolders(const CopiedFolders &) = delete;
  CopiedFolders &operator=(const CopiedFolders &) = delete;
  ~CopiedFolders();

  /// `directory` is the value of a `--dir`; returns that of the copy's. Links in the folder stay
  /// links; what is neither file, folder nor link is an error.
  llvm::Expected<std::string> add(llvm::StringRef directory);
  /// Enters what the folders hold now, by the path that the program knows it by.
  llvm::Error hash(std::map<std::string, std::string> &files) const;

private:
  std::string root_;
  /// Where each copy lies, and what the program calls it.
  std::vector<std::pair<std::string, std::string>> folders_;
};

} // namespace warpo

#endif
