//===- FilesInUse.h - No output overwrites an input -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_FILESINUSE_H
#define WARPO_SUPPORT_FILESINUSE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem/UniqueID.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// The files that a tool reads and writes. While one of these lives, InputStream, readWholeInput
/// and OutputFile enter every file that they open, and fail before an output would replace an input
/// or another output. Two files are the same if they have the same device and inode, so links lead
/// to the file behind them; of outputs that do not exist yet, the resolved path decides. A library
/// in somebody else's process has none of these, and nothing is checked there.
class FilesInUse {
public:
  FilesInUse();
  FilesInUse(const FilesInUse &) = delete;
  FilesInUse &operator=(const FilesInUse &) = delete;
  ~FilesInUse();

  /// Enters a file that is going to be read; `-` is standard input. Anything but a regular file,
  /// and what does not exist, cannot be lost and is not entered.
  static llvm::Error enterInput(llvm::StringRef path);
  /// Enters a file that is going to be written; `-` is standard output.
  static llvm::Error enterOutput(llvm::StringRef path);
  /// Fails like enterOutput(), or if the file cannot be written, and enters nothing: for an output
  /// that another program opens, which may do so only at its end.
  static llvm::Error checkOutput(llvm::StringRef path);
  /// Fails if the file of an output has been entered as an input since: for the moment before it is
  /// replaced, since whoever could not read the input may have gone on without it.
  static llvm::Error confirmOutput(llvm::StringRef path);

private:
  struct File {
    /// As messages call it.
    std::string name;
    /// Empty if the file does not exist.
    std::optional<llvm::sys::fs::UniqueID> id;
    /// Of a file that does not exist.
    std::string resolvedPath;
    bool isRegular = false;
    /// Whatever is written to it is lost anyway, or shown.
    bool isDevice = false;
  };

  static File findFile(llvm::StringRef path, int standardDescriptor);
  static bool isSame(const File &a, const File &b);
  llvm::Error checkAgainstInputs(const File &output) const;
  llvm::Error checkAgainstAll(const File &output) const;

  std::vector<File> inputs_, outputs_;
};

} // namespace warpo

#endif
