//===- StreamSpool.cpp ----------------------------------------------------===//

#include "StreamSpool.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

ByteSpool::ByteSpool() = default;

ByteSpool::~ByteSpool() {
  // It was told already, and would end the program.
  if (file_)
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
      stream.blocks.push_back({fileSize_, size});
    fileSize_ += size;
    // Its memory too: each stream in turn may have had all there is.
    std::vector<uint8_t>().swap(stream.pending);
  }
  buffered_ = 0;
  return file_->has_error() ? fileError(path_, file_->error()) : Error::success();
}

Error ByteSpool::read(size_t stream, size_t unit,
                      function_ref<void(ArrayRef<uint8_t>)> consume) const {
  if (stream >= streams_.size())
    return Error::success();
  std::vector<char> buffer(unit * ((256 * 1024 + unit - 1) / unit));
  for (const Block &block : streams_[stream].blocks)
    for (uint64_t done = 0; done < block.size;) {
      size_t wanted = size_t(std::min<uint64_t>(buffer.size(), block.size - done));
      // A read of a file may return less only at its end.
      auto got =
          sys::fs::readNativeFileSlice(descriptor_, {buffer.data(), wanted}, block.offset + done);
      if (!got)
        return fileError(path_, errorToErrorCode(got.takeError()));
      if (*got != wanted)
        return fileError(path_, "the temporary file has become shorter");
      consume({reinterpret_cast<const uint8_t *>(buffer.data()), wanted});
      done += wanted;
    }
  consume(streams_[stream].pending);
  return Error::success();
}
