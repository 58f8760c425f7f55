//===- Descriptors.h - Open files of a WASI program -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_WASI_DESCRIPTORS_H
#define WARPO_LIB_ENGINE_WASI_DESCRIPTORS_H

#include "WasiErrno.h"
#include "WasiRights.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Support/OwnedDescriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo::wasi {

/// Identifies a file, whatever its name.
struct FileId {
  uint64_t device = 0, number = 0;
  bool operator==(const FileId &) const = default;
};

inline FileId idOf(const struct stat &status) {
  return {uint64_t(status.st_dev), uint64_t(status.st_ino)};
}

struct Descriptor {
  /// The file's descriptor in this process.
  int fd;
  /// Owns fd; empty for standard streams, which belong to this process.
  OwnedDescriptor owner;
  FileKind kind;
  Rights rights;
  /// For a folder of --dir: the program's name for it.
  std::optional<std::string> guestName;
  /// For folders: the folder of --dir through which it was opened.
  FileId root;
  /// Whether it is a standard stream and the program may not learn what it is connected to.
  bool isHidden = false;
};

/// Opens a folder of --dir.
llvm::Expected<OwnedDescriptor> openFolder(const std::string &path);

/// The descriptors of one program, by the program's numbers.
class Descriptors {
public:
  /// `streams` are this process's descriptors for 0, 1 and 2, unless they are closed. If `hidden`,
  /// they look the same whatever they are connected to.
  Descriptors(llvm::ArrayRef<int> streams, bool hidden);

  /// Opens folders for the program, with the next numbers.
  llvm::Error openFolders(llvm::ArrayRef<RunRequest::Directory> folders);

  /// Uses the lowest free number.
  Errno add(Descriptor descriptor, uint32_t &number);
  /// Null if the number is not in use.
  Descriptor *find(uint32_t number);
  /// Fails if the descriptor lacks these rights.
  Errno find(uint32_t number, Rights wanted, Descriptor *&found);
  Errno find(uint32_t number, uint64_t wanted, Descriptor *&found) {
    return find(number, Rights{wanted, 0}, found);
  }
  Errno close(uint32_t number);
  /// Closes `to` and moves `from` to its number.
  Errno renumber(uint32_t from, uint32_t to);

private:
  std::vector<std::optional<Descriptor>> descriptors_;
  /// Descriptors from this number on are reserved for this process.
  int limit_;
};

} // namespace warpo::wasi

#endif
