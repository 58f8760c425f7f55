//===- StreamSpool.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/StreamSpool.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

ByteSpool::ByteSpool() = default;

ByteSpool::~ByteSpool() {
  if (!file_)
    return;
  // An earlier error has been reported, and an error of close() is irrelevant; but an unhandled
  // error would end the program.
  file_->close();
  file_->clear_error();
}

Error ByteSpool::append(size_t stream, ArrayRef<uint8_t> bytes) {
  if (streams_.size() <= stream)
    streams_.resize(stream + 1);
  std::vector<uint8_t> &pending = streams_[stream].pending;
  pending.insert(pending.end(), bytes.begin(), bytes.end());
  buffered_ += bytes.size();
  return buffered_ >= maxBuffered ? spill() : Error::success();
}

Error ByteSpool::openFile() {
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("warpo", "spool", descriptor_, path)) {
    SmallString<128> folder;
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
    return fileError(("a temporary file in " + folder).str(), code);
  }
  path_ = std::string(path);
  file_ = std::make_unique<raw_fd_ostream>(descriptor_, /*shouldClose=*/true, /*unbuffered=*/true);
  if (std::error_code code = sys::fs::remove(path))
    return fileError(path_, code);
  return Error::success();
}

Error ByteSpool::spill() {
  if (!file_)
    if (Error error = openFile())
      return error;
  for (Stream &stream : streams_) {
    size_t size = stream.pending.size();
    if (size == 0)
      continue;
    *file_ << toStringRef(stream.pending);
    if (!stream.blocks.empty() &&
        stream.blocks.back().offset + stream.blocks.back().size == fileSize_)
      stream.blocks.back().size += size;
    else
      stream.blocks.push_back({fileSize_, size, stream.pendingBegin()});
    fileSize_ += size;
    // Frees the memory, too: each stream in turn may have used all of the buffer.
    std::vector<uint8_t>().swap(stream.pending);
  }
  buffered_ = 0;
  return file_->has_error() ? fileError(path_, file_->error()) : Error::success();
}

// `position` must have been written to the file.
const ByteSpool::Block &ByteSpool::Stream::blockAt(uint64_t position) const {
  return *std::prev(upper_bound(blocks, position,
                                [](uint64_t at, const Block &block) { return at < block.begin; }));
}

Error ByteSpool::readFile(uint64_t offset, MutableArrayRef<uint8_t> bytes) const {
  // Reading a file returns fewer bytes only at its end.
  auto got = sys::fs::readNativeFileSlice(
      descriptor_, {reinterpret_cast<char *>(bytes.data()), bytes.size()}, offset);
  if (!got)
    return fileError(path_, errorToErrorCode(got.takeError()));
  if (*got != bytes.size())
    return fileError(path_, "the temporary file has become shorter");
  return Error::success();
}

Expected<size_t> ByteSpool::readAt(size_t stream, uint64_t from,
                                   MutableArrayRef<uint8_t> bytes) const {
  const Stream &source = streams_[stream];
  if (from >= source.pendingBegin()) {
    ArrayRef<uint8_t> rest = ArrayRef(source.pending).drop_front(from - source.pendingBegin());
    size_t size = std::min(rest.size(), bytes.size());
    llvm::copy(rest.take_front(size), bytes.begin());
    return size;
  }
  const Block &block = source.blockAt(from);
  auto size = size_t(std::min<uint64_t>(block.end() - from, bytes.size()));
  if (Error error = readFile(block.offset + (from - block.begin), bytes.take_front(size)))
    return error;
  return size;
}

Error ByteSpool::replace(size_t stream, uint64_t from, ArrayRef<uint8_t> bytes) {
  Stream &target = streams_[stream];
  if (from >= target.pendingBegin()) {
    llvm::copy(bytes, target.pending.begin() + ptrdiff_t(from - target.pendingBegin()));
    return Error::success();
  }
  const Block &block = target.blockAt(from);
  file_->pwrite(reinterpret_cast<const char *>(bytes.data()), bytes.size(),
                block.offset + (from - block.begin));
  return file_->has_error() ? fileError(path_, file_->error()) : Error::success();
}

Error ByteSpool::read(size_t stream, size_t unit,
                      function_ref<void(ArrayRef<uint8_t>)> consume) const {
  if (stream >= streams_.size())
    return Error::success();
  std::vector<uint8_t> buffer(unit * ((256 * 1024 + unit - 1) / unit));
  for (const Block &block : streams_[stream].blocks)
    for (uint64_t done = 0; done < block.size;) {
      size_t wanted = size_t(std::min<uint64_t>(buffer.size(), block.size - done));
      MutableArrayRef<uint8_t> piece = MutableArrayRef(buffer).take_front(wanted);
      if (Error error = readFile(block.offset + done, piece))
        return error;
      consume(piece);
      done += wanted;
    }
  consume(streams_[stream].pending);
  return Error::success();
}
