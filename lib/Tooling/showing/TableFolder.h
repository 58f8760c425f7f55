//===- TableFolder.h - Folders of files that form a table -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TABLEFOLDER_H
#define WARPO_LIB_TOOLING_TABLEFOLDER_H

#include "warpo/Output/OutputOrigin.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

/// The destination of an output.
struct OutputPlace {
  std::string path;
  /// The file must not exist, neither now nor when the output is complete.
  bool isNew = false;
};

/// The path of a file in a folder of tables, by the rules of Hive:
/// `<folder>/service=…/date=2026-11-23/host=…/<title>-<begin>.parquet`. Other labels stay in the
/// file; unknown values have a level that says so. If the begin is unknown, the name lacks it.
///
/// Does not create the folders. Removes labels in the path from `origin`: readers would have two
/// columns of one name. Fails if a label has one of these names in another case, or if the begin is
/// unknown and the file exists.
llvm::Expected<OutputPlace> placeInFolder(llvm::StringRef folder, llvm::StringRef title,
                                          llvm::StringRef extension, OutputOrigin &origin);

/// Folders created for an output. The destructor removes those that are still empty, so that a
/// failed run leaves none. Another run that fails at the same time may remove them before a file is
/// in them.
class NewFolders {
public:
  NewFolders() = default;
  NewFolders(const NewFolders &) = delete;
  NewFolders &operator=(const NewFolders &) = delete;
  ~NewFolders();

  /// Creates the folder and its missing parents.
  llvm::Error make(llvm::StringRef folder);

private:
  /// Outermost first.
  std::vector<std::string> made_;
};

} // namespace warpo

#endif
