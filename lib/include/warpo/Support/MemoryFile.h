//===- MemoryFile.h - A file in memory, for child processes ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_MEMORYFILE_H
#define WARPO_SUPPORT_MEMORYFILE_H

#include "warpo/Support/OwnedDescriptor.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// Unlike with a pipe, a child can read or write any amount without waiting for us.
class MemoryFile {
public:
  static llvm::Expected<MemoryFile> create();
  int descriptor() const { return fd_.get(); }

  /// Sets the contents, to be read from the beginning.
  llvm::Error fill(llvm::StringRef contents);
  /// The first bytes, at most `limit`.
  std::string head(size_t limit) const;
  std::string contents() const;

private:
  explicit MemoryFile(int fd) : fd_(fd) {}
  OwnedDescriptor fd_;
};

} // namespace warpo

#endif
