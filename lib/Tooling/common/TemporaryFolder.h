//===- TemporaryFolder.h - A folder for intermediate files of a tool ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_TEMPORARYFOLDER_H
#define WARPO_TOOLING_TEMPORARYFOLDER_H

#include "warpo/Support/Errors.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <utility>

namespace warpo {

/// A private folder, removed with its contents by the destructor and if SIGHUP, SIGINT or SIGTERM
/// ends the process. A process can have one at a time.
class TemporaryFolder {
public:
  /// Its name begins with `prefix`.
  static llvm::Expected<TemporaryFolder> create(llvm::StringRef prefix);
  TemporaryFolder(TemporaryFolder &&other) : path_(std::exchange(other.path_, "")) {}
  ~TemporaryFolder();
  std::string file(const llvm::Twine &name) const { return path_ + "/" + name.str(); }
  /// Creates a folder in it.
  llvm::Expected<std::string> makeFolder(const llvm::Twine &name) const {
    std::string path = file(name);
    if (std::error_code code = llvm::sys::fs::create_directory(path))
      return fileError(path, code);
    return path;
  }

private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

} // namespace warpo

#endif
