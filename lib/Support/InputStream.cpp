//===- InputStream.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/InputStream.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/FilesInUse.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cassert>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

// Large enough to make the cost of a system call negligible (0.1 ns per byte), small enough to stay
// in the second level cache together with the results.
static constexpr size_t blockSize = 256 * 1024;

InputStream::InputStream(int descriptor, bool owned, std::string name)
    : descriptor_(descriptor), owned_(owned), name_(std::move(name)) {}

InputStream::~InputStream() {
  if (owned_)
    ::close(descriptor_);
}

Expected<std::unique_ptr<InputStream>> InputStream::open(StringRef path) {
  if (Error error = FilesInUse::enterInput(path))
    return error;
  std::unique_ptr<InputStream> input;
  if (path == "-") {
    input.reset(new InputStream(standardInput, /*owned=*/false, "<stdin>"));
  } else {
    auto file = sys::fs::openNativeFileForRead(path);
    if (!file)
      return fileError(path, errorToErrorCode(file.takeError()));
    input.reset(new InputStream(*file, /*owned=*/true, path.str()));
  }
  struct stat status;
  if (fstat(input->descriptor_, &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return fileError(input->name_, "is a directory");
    if (S_ISREG(status.st_mode))
      input->size_ = uint64_t(status.st_size);
  }
  return input;
}

std::unique_ptr<InputStream> InputStream::fromBytes(ArrayRef<uint8_t> bytes, StringRef name) {
  std::unique_ptr<InputStream> input(new InputStream(-1, /*owned=*/false, name.str()));
  input->buffer_ = bytes.vec();
  input->end_ = bytes.size();
  input->size_ = bytes.size();
  input->atEnd_ = true;
  return input;
}

Expected<ArrayRef<uint8_t>> InputStream::window(size_t count) {
  if (end_ - begin_ < count && !atEnd_) {
    std::move(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    // The moved bytes stay a small part of the bytes read between two moves.
    size_t wanted = count + std::max(count, blockSize);
    if (buffer_.size() < wanted)
      buffer_.resize(wanted);
  }
  while (end_ - begin_ < count && !atEnd_) {
    ssize_t got = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    if (got < 0) {
      if (errno == EINTR)
        continue;
      return fileError(name_, std::error_code(errno, std::generic_category()));
    }
    if (got == 0)
      atEnd_ = true;
    end_ += size_t(got);
  }
  return ArrayRef<uint8_t>(buffer_.data() + begin_, end_ - begin_);
}

void InputStream::consume(size_t count) {
  assert(count <= end_ - begin_ && "consumes more than the window shows");
  begin_ += count;
  offset_ += count;
}

Error InputStream::seek(uint64_t offset) {
  uint64_t bufferOffset = offset_ - begin_;
  if (offset >= bufferOffset && offset - bufferOffset <= end_) {
    begin_ = size_t(offset - bufferOffset);
    offset_ = offset;
    return Error::success();
  }
  if (::lseek(descriptor_, off_t(offset), SEEK_SET) < 0)
    return fileError(name_, std::error_code(errno, std::generic_category()));
  begin_ = end_ = 0;
  offset_ = offset;
  atEnd_ = false;
  return Error::success();
}

Expected<size_t> InputStream::readAt(uint64_t offset, MutableArrayRef<uint8_t> bytes) const {
  if (descriptor_ < 0) {
    uint64_t bufferOffset = offset_ - begin_;
    uint64_t skipped = std::min<uint64_t>(offset - bufferOffset, end_);
    size_t count = std::min(bytes.size(), end_ - size_t(skipped));
    std::copy_n(buffer_.begin() + ptrdiff_t(skipped), count, bytes.begin());
    return count;
  }
  size_t count = 0;
  while (count < bytes.size()) {
    ssize_t got =
        ::pread(descriptor_, bytes.data() + count, bytes.size() - count, off_t(offset + count));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fileError(name_, std::error_code(errno, std::generic_category()));
    if (got == 0)
      break;
    count += size_t(got);
  }
  return count;
}

StringRef warpo::inputName(StringRef path) { return path == "-" ? "<stdin>" : path; }

Expected<std::unique_ptr<MemoryBuffer>> warpo::readWholeInput(StringRef path) {
  if (Error error = FilesInUse::enterInput(path))
    return error;
  auto buffer =
      MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fileError(inputName(path), buffer.getError());
  return std::move(*buffer);
}
