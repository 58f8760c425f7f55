//===- MemoryFile.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/MemoryFile.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

static Error lastError() {
  return fileError("file in memory", std::error_code(errno, std::generic_category()));
}

Expected<MemoryFile> MemoryFile::create() {
  int fd = memfd_create("warpo", MFD_CLOEXEC);
  if (fd < 0)
    return lastError();
  return MemoryFile(fd);
}

Error MemoryFile::fill(StringRef contents) {
  raw_fd_ostream os(descriptor(), /*shouldClose=*/false, /*unbuffered=*/true);
  os << contents;
  std::error_code code = os.error();
  os.clear_error();
  if (code)
    return fileError("file in memory", code);
  return lseek(descriptor(), 0, SEEK_SET) == 0 ? Error::success() : lastError();
}

std::string MemoryFile::head(size_t limit) const {
  std::string text(limit, '\0');
  size_t size = 0;
  while (size < limit) {
    ssize_t got = pread(descriptor(), text.data() + size, limit - size, off_t(size));
    if (got <= 0)
      break;
    size += size_t(got);
  }
  text.resize(size);
  return text;
}

std::string MemoryFile::contents() const {
  struct stat status;
  return fstat(descriptor(), &status) == 0 ? head(size_t(status.st_size)) : "";
}
