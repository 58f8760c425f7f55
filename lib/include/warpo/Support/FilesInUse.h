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

/// The files that a tool reads and writes. While an object of this class exists, InputStream,
/// readWholeInput and OutputFile register every file they open, and fail before an output would
/// replace an input or another output. Files are compared by device and inode, so links are
/// followed; outputs that do not exist yet are compared by resolved path. In another program that
/// uses our libraries there is no such object, and nothing is checked.
class FilesInUse {
public:
  FilesInUse();
  FilesInUse(const FilesInUse &) = delete;
  FilesInUse &operator=(const FilesInUse &) = delete;
  ~FilesInUse();

  /// Registers a file before reading it; `-` is standard input. Ignores files that do not exist or
  /// are not regular, as these cannot be lost.
  static llvm::Error enterInput(llvm::StringRef path);
  /// Registers a file before writing it; `-` is standard output.
  static llvm::Error enterOutput(llvm::StringRef path);
  /// Fails like enterOutput(), or if the file cannot be written, but does not register it. For an
  /// output that another program writes, possibly not before its end.
  static llvm::Error checkOutput(llvm::StringRef path);
  /// Fails if the file of an output has been registered as an input since. To be called before the
  /// file is replaced: a failure to read the input may not have ended the program.
  static llvm::Error confirmOutput(llvm::StringRef path);

private:
  struct File {
    /// For messages.
    std::string name;
    /// Empty if the file does not exist.
    std::optional<llvm::sys::fs::UniqueID> id;
    /// Only for a file that does not exist.
    std::string resolvedPath;
    bool isRegular = false;
    /// Writing to it overwrites nothing.
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
