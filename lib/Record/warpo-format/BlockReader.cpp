//===- BlockReader.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "BlockReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

// A hostile file could claim a large block every few bytes: limits the bytes checked in vain to
// this multiple of the bytes read, plus a constant.
static constexpr uint64_t searchFactor = 4;
static constexpr uint64_t freeSearch = warpo_max_payload;

Expected<bool> BlockReader::isWhole(warpo_block_header &header) {
  auto window = input_.window(warpo_block_header_size);
  if (!window)
    return window.takeError();
  isBegun_ = !window->empty() && window->size() < warpo_block_header_size &&
             StringRef(WARPO_SYNC).starts_with(toStringRef(window->take_front(warpo_sync_size)));
  if (window->size() < warpo_block_header_size ||
      !warpo_get_block_header(window->data(), &header) || header.size > warpo_max_payload)
    return false;
  if (searched_ > freeSearch + searchFactor * input_.offset())
    return false;
  window = input_.window(warpo_block_header_size + size_t(header.size));
  if (!window)
    return window.takeError();
  isBegun_ = window->size() < warpo_block_header_size + size_t(header.size);
  if (isBegun_)
    return false;
  if (warpo_check_block(window->data(), header.size) == header.check)
    return true;
  searched_ += header.size;
  return false;
}

bool BlockReader::decompress(Block &block) {
  if (!compression::zstd::isAvailable())
    return false;
  // LLVM's function needs the size, which the frame may not state: uses our limit.
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

Expected<bool> BlockReader::readHere(Block &block) {
  input_.consume(current_);
  current_ = 0;
  warpo_block_header header;
  auto whole = isWhole(header);
  if (!whole || !*whole)
    return whole;
  auto window = input_.window(warpo_block_header_size + size_t(header.size));
  if (!window)
    return window.takeError();
  block.kind = header.kind;
  block.offset = input_.offset();
  block.payload = window->slice(warpo_block_header_size, header.size);
  block.isCompressed = header.flags & warpo_block_is_compressed;
  block.isSignature = false;
  current_ = warpo_block_header_size + size_t(header.size);
  return true;
}

Expected<bool> BlockReader::readSignature(Block &block) {
  auto window = input_.window(warpo_signature_size);
  if (!window)
    return window.takeError();
  StringRef bytes = toStringRef(*window).take_front(warpo_signature_size);
  if (bytes.size() < warpo_signature_size ||
      !bytes.starts_with(StringRef(WARPO_SIGNATURE, warpo_version_offset)))
    return false;
  block = {.offset = input_.offset(),
           .payload = window->take_front(warpo_signature_size),
           .isCompressed = false,
           .isSignature = true};
  current_ = warpo_signature_size;
  return true;
}

Expected<bool> BlockReader::next(Block &block) {
  input_.consume(current_);
  current_ = 0;
  skippedBytes_ = 0;
  skippedFrom_ = input_.offset();
  isCutOff_ = false;
  while (true) {
    auto whole = readHere(block);
    if (whole && !*whole)
      whole = readSignature(block);
    if (!whole || *whole) {
      isCutOff_ = false;
      return whole;
    }
    auto window = input_.window(warpo_block_header_size);
    if (!window)
      return window.takeError();
    if (window->empty())
      return false;
    if (skippedBytes_ == 0)
      isCutOff_ = isBegun_;
    // Skips to the next byte that may begin a block or a signature.
    constexpr char starts[] = {WARPO_SYNC[0], WARPO_SIGNATURE[0]};
    StringRef rest = toStringRef(window->drop_front(1));
    size_t step = 1 + std::min(rest.find_first_of(StringRef(starts, 2)), rest.size());
    input_.consume(step);
    skippedBytes_ += step;
  }
}
