//===- TableFolder.h - Many files that readers take for one table ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TABLEFOLDER_H
#define WARPO_LIB_TOOLING_TABLEFOLDER_H

#include "warpo/Output/OutputOrigin.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// Where an output goes.
struct OutputPlace {
  std::string path;
  /// Nothing may be there, neither now nor when the output is complete.
  bool isNew = false;
};

/// Where in a folder of tables a file goes, by the rules of Hive:
/// `<folder>/service=…/date=2026-11-23/host=…/<title>-<begin>.parquet`. Labels of other names stay
/// in the file, and the level of what is not known says so. Where the begin is not known, the name
/// is without it.
///
/// Returns the file's path; the folders are the caller's to make. What the path says of `origin`'s
/// labels is removed there: readers would have two columns of one name. Fails if a label is one of
/// these names in other letters, or if the begin is not known and the file exists.
llvm::Expected<OutputPlace> placeInFolder(llvm::StringRef folder, llvm::StringRef title,
                                          llvm::StringRef extension, OutputOrigin &origin);

/// Folders that were made for an output. Those that are still empty go with this: a failed run
/// leaves none behind. Another one that fails at the same time may take them away before a file is
/// in them.
class NewFolders {
public:
  NewFolders() = default;
  NewFolders(const NewFolders &) = delete;
  NewFolders &operator=(const NewFolders &) = delete;
  ~NewFolders();

  /// Makes the folder and those around it that do not exist.
  llvm::Error make(llvm::StringRef folder);

private:
  /// The outermost first.
  std::vector<std::string> made_;
};

} // namespace warpo

#endif
