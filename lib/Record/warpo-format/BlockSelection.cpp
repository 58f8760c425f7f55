//===- BlockSelection.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "BlockSelection.h"
#include "warpo/Recorder/record_blocks.h"
#include "llvm/Support/Endian.h"
#include <array>
#include <map>

using namespace llvm;
using namespace warpo;
using support::endian::read64le;

static uint64_t sizeOf(const warpo_block_header &header) {
  return warpo_block_header_size + uint64_t(header.size);
}

/// Reads the complete block at this offset; false if there is none. Does not search: an index may
/// have thousands of wrong offsets.
static Expected<bool> readBlock(BlockReader &reader, uint64_t offset, Block &block) {
  if (Error error = reader.seek(offset))
    return error;
  auto found = reader.readHere(block);
  if (!found || !*found)
    return found;
  return !block.isCompressed || reader.decompress(block);
}

/// The offset of the index; 0 if there is none.
static Expected<uint64_t> findIndex(const InputStream &input) {
  std::array<uint8_t, warpo_end_block_size> end;
  if (*input.size() < warpo_signature_size + end.size())
    return 0;
  auto got = input.readAt(*input.size() - end.size(), end);
  if (!got)
    return got.takeError();
  warpo_block_header header;
  bool isEnd = *got == end.size() && warpo_get_block_header(end.data(), &header) &&
               header.kind == warpo_block_end && sizeOf(header) == end.size();
  return isEnd ? read64le(end.data() + warpo_block_header_size) : 0;
}

Expected<BlockSelection> BlockSelection::create(InputStream &input) {
  BlockSelection selection;
  auto indexOffset = findIndex(input);
  if (!indexOffset)
    return indexOffset.takeError();
  if (*indexOffset == 0)
    return selection;
  auto fits = selection.readIndex(input, *indexOffset);
  if (fits && *fits)
    fits = selection.addSizes(input, *indexOffset);
  if (!fits)
    return fits.takeError();
  return selection;
}

std::optional<uint64_t> BlockSelection::earliest() const {
  if (empty())
    return std::nullopt;
  return min_element(blocks_,
                     [](const IndexedBlock &a, const IndexedBlock &b) { return a.first < b.first; })
      ->first;
}

Expected<bool> BlockSelection::readIndex(InputStream &input, uint64_t indexOffset) {
  BlockReader reader(input);
  Block block;
  auto found =
      indexOffset < *input.size() ? readBlock(reader, indexOffset, block) : Expected<bool>(false);
  if (!found)
    return found.takeError();
  if (!*found || block.kind != warpo_block_index)
    return isMisfitAt(indexOffset);
  ByteCursor cursor(block.payload);
  uint64_t count = cursor.uleb64();
  // No file of this size has more blocks.
  if (count > indexOffset / warpo_block_header_size)
    return isMisfitAt(indexOffset);
  blocks_.resize(size_t(count));
  IndexedBlock before;
  for (IndexedBlock &entry : blocks_) {
    entry.offset = before.offset + cursor.uleb64();
    entry.stream = cursor.uleb64();
    entry.first = before.first + cursor.uleb64();
    entry.last = entry.first + cursor.uleb64();
    before = entry;
  }
  return cursor.ok() || isMisfitAt(indexOffset);
}

/// Bytes behind the end of the input stay unchanged.
static Error fill(MutableArrayRef<uint8_t> bytes, InputStream &input, uint64_t offset) {
  auto got = input.readAt(offset, bytes);
  return got ? Error::success() : got.takeError();
}

/// The bytes of a stream's number, at most.
static constexpr size_t maxNumberSize = 10;

// Reads all headers, as the size of a skipped block is needed to find the next one, and the number
// of the stream behind it: 26 bytes per block of 20 000 events.
Expected<bool> BlockSelection::addSizes(InputStream &input, uint64_t indexOffset) {
  size_t next = 0;
  uint64_t offset = warpo_signature_size;
  while (offset < indexOffset) {
    std::array<uint8_t, warpo_block_header_size + maxNumberSize> bytes{};
    if (Error error = fill(bytes, input, offset))
      return error;
    warpo_block_header header;
    bool isBlock = warpo_get_block_header(bytes.data(), &header);
    if (!isBlock && memcmp(bytes.data(), WARPO_SIGNATURE, warpo_version_offset) == 0) {
      offset += warpo_signature_size;
      continue;
    }
    if (!isBlock || sizeOf(header) > indexOffset - offset)
      return isMisfitAt(offset);
    if (header.kind == warpo_block_events) {
      ByteCursor cursor(ArrayRef<uint8_t>(bytes).drop_front(warpo_block_header_size));
      bool isCompressed = header.flags & warpo_block_is_compressed;
      if (next == blocks_.size() || blocks_[next].offset != offset ||
          (!isCompressed && blocks_[next].stream != cursor.uleb64()))
        return isMisfitAt(offset);
      blocks_[next++].size = sizeOf(header);
    }
    offset += sizeOf(header);
  }
  return next == blocks_.size() || isMisfitAt(indexOffset);
}

/// Whether the context of a block of events has all open calls. `cursor` is behind the stream.
static bool hasCompleteContext(ByteCursor &cursor) {
  cursor.u64(); // base
  uint64_t clocks = cursor.uleb64();
  for (uint64_t i = 0; i < clocks && cursor.ok(); ++i) {
    cursor.uleb64();
    cursor.u64();
  }
  cursor.uleb64(); // calls
  return cursor.u8() != 0 && cursor.ok();
}

Error BlockSelection::leaveOutBefore(uint64_t from, InputStream &input) {
  BlockReader reader(input);
  std::map<uint64_t, std::vector<size_t>> blocksOfStream;
  for (size_t i = 0; i < blocks_.size(); ++i)
    blocksOfStream[blocks_[i].stream].push_back(i);
  for (const auto &[stream, places] : blocksOfStream) {
    size_t start = 0;
    while (start + 1 < places.size() && blocks_[places[start + 1]].first < from)
      ++start;
    for (; start > 0; --start) {
      Block block;
      auto found = readBlock(reader, blocks_[places[start]].offset, block);
      if (!found)
        return found.takeError();
      if (!*found || block.kind != warpo_block_events)
        continue;
      ByteCursor cursor(block.payload);
      if (cursor.uleb64() != stream) {
        isMisfitAt(blocks_[places[start]].offset);
        return Error::success();
      }
      if (hasCompleteContext(cursor))
        break;
    }
    for (size_t i = 0; i < start; ++i)
      blocks_[places[i]].isBefore = true;
    blocks_[places[start]].isStart = start > 0;
  }
  return Error::success();
}

const IndexedBlock *BlockSelection::find(uint64_t offset) {
  while (next_ < blocks_.size() && blocks_[next_].offset < offset)
    ++next_;
  return next_ < blocks_.size() && blocks_[next_].offset == offset ? &blocks_[next_] : nullptr;
}
