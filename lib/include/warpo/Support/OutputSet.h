//===- OutputSet.h - Several outputs of one job ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_OUTPUTSET_H
#define WARPO_SUPPORT_OUTPUTSET_H

#include "warpo/Support/OutputFile.h"
#include <functional>
#include <vector>

namespace warpo {

/// Output files that are moved to their targets together, when all are complete.
class OutputSet {
public:
  using Write = std::function<void(llvm::raw_ostream &)>;

  /// Opens a file, and stores `write` for it; does nothing for an empty path. Fails if another
  /// output has the same file, or if `binaryFormat` is not empty and the output is a terminal.
  llvm::Error add(llvm::StringRef path, Write write, llvm::StringRef binaryFormat = "");

  /// Writes all files. Standard output and devices are written directly, the others only if none
  /// fails.
  llvm::Error write();

private:
  struct Output {
    std::string path;
    std::unique_ptr<OutputFile> file;
    Write write;
  };
  std::vector<Output> outputs_;
};

} // namespace warpo

#endif
