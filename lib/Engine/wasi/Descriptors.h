//===- Descriptors.h - What a program of WASI has open --------------------===//
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

/// Which file it is, whatever it is called.
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
  /// Closes it with this one; nothing for standard streams, which are this process's too.
  OwnedDescriptor owner;
  FileKind kind;
  Rights rights;
  /// Of a folder that the program was given: its name for it.
  std::optional<std::string> guestName;
  /// Of folders: which one of --dir it was opened through.
  FileId root;
  /// A standard stream; the program may not learn what it is connected to.
  bool isHidden = false;
};

/// Opens a folder of --dir.
llvm::Expected<OwnedDescriptor> openFolder(const std::string &path);

/// The descriptors of one program, by its numbers for them.
class Descriptors {
public:
  /// Has 0, 1 and 2, which are these of this process, unless they are closed. With `hidden` they
  /// look the same whatever they are.
  Descriptors(llvm::ArrayRef<int> streams, bool hidden);

  /// Opens folders for the program, under the next numbers.
  llvm::Error openFolders(llvm::ArrayRef<RunRequest::Directory> folders);

  /// Takes the lowest number that is free.
  Errno add(Descriptor descriptor, uint32_t &number);
  /// Null if nothing is open under this number.
  Descriptor *find(uint32_t number);
  /// The one that has these rights.
  Errno find(uint32_t number, Rights wanted, Descriptor *&found);
  Errno find(uint32_t number, uint64_t wanted, Descriptor *&found) {
    return find(number, Rights{wanted, 0}, found);
  }
  Errno close(uint32_t number);
  /// Gives what is `from` the number of `to`, which is closed.
  Errno renumber(uint32_t from, uint32_t to);

private:
  std::vector<std::optional<Descriptor>> descriptors_;
  /// From which number on this process keeps its own descriptors for itself.
  int limit_;
};

} // namespace warpo::wasi

#endif
