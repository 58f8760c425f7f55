//===- BlockReader.cpp ----------------------------------------------------===//

#include "BlockReader.h"
#include "warpo/Recorder/record_encoding.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace llvm;
using namespace warpo;
using support::endian::read32le;

static constexpr StringLiteral syncMark = "WBLK";
// A file made for it could claim a large block at every few bytes: beyond this many times what was
// skipped, no more is checked.
static constexpr uint64_t searchFactor = 4;
static constexpr uint64_t freeSearch = 64 << 20;

Expected<bool> BlockReader::isWhole() {
  auto window = input_.window(warpo_block_header_size);
  if (!window)
    return window.takeError();
  if (window->size() < warpo_block_header_size ||
      memcmp(window->data(), syncMark.data(), syncMark.size()) != 0)
    return false;
  uint32_t size = read32le(window->data() + 8);
  uint32_t check = read32le(window->data() + 12);
  if (size > warpo_max_payload)
    return false;
  if (skippedBytes_ > 0) {
    if (searched_ > freeSearch + searchFactor * skippedBytes_)
      return false;
    searched_ += size;
  }
  window = input_.window(warpo_block_header_size + size_t(size));
  if (!window)
    return window.takeError();
  if (window->size() < warpo_block_header_size + size_t(size))
    return false;
  uint32_t actual = warpo_crc32c(0, window->data() + 4, 8);
  return warpo_crc32c(actual, window->data() + warpo_block_header_size, size) == check;
}

bool BlockReader::decompress(Block &block) {
  if (!compression::zstd::isAvailable())
    return false;
  // LLVM's function wants to know the size, which the frame need not state: our limit is enough.
  decompressed_.resize_for_overwrite(warpo_max_payload);
  size_t size = decompressed_.size();
  if (Error error = compression::zstd::decompress(block.payload, decompressed_.data(), size)) {
    consumeError(std::move(error));
    return false;
  }
  decompressed_.truncate(size);
  block.payload = decompressed_;
  return true;
}

Expected<bool> BlockReader::next(Block &block) {
  input_.consume(current_);
  current_ = 0;
  skippedBytes_ = 0;
  searched_ = 0;
  skippedFrom_ = input_.offset();
  while (true) {
    auto whole = isWhole();
    if (!whole)
      return whole.takeError();
    auto window = input_.window(warpo_block_header_size);
    if (!window)
      return window.takeError();
    if (window->empty())
      return false;
    if (*whole) {
      uint32_t size = read32le(window->data() + 8);
      window = input_.window(warpo_block_header_size + size_t(size));
      if (!window)
        return window.takeError();
      block.kind = (*window)[4];
      block.offset = input_.offset();
      block.payload = window->slice(warpo_block_header_size, size);
      block.isCompressed = (*window)[5] & warpo_block_is_compressed;
      current_ = warpo_block_header_size + size_t(size);
      if (!block.isCompressed || decompress(block))
        return true;
      // Skipped as a whole: what lies in it was written so.
      input_.consume(current_);
      skippedBytes_ += current_;
      current_ = 0;
      continue;
    }
    // To the next byte that may be a block's first.
    size_t step = 1;
    ArrayRef<uint8_t> rest = window->drop_front(1);
    const void *found = rest.empty() ? nullptr : memchr(rest.data(), syncMark.front(), rest.size());
    step += found ? size_t(static_cast<const uint8_t *>(found) - rest.data()) : rest.size();
    input_.consume(step);
    skippedBytes_ += step;
  }
}
