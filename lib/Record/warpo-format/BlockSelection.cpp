//===- BlockSelection.cpp -------------------------------------------------===//

#include "BlockSelection.h"
#include "warpo/Recorder/record_encoding.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <array>
#include <unordered_map>

using namespace llvm;
using namespace warpo;
using support::endian::read32le;
using support::endian::read64le;

using BlockHeader = std::array<uint8_t, warpo_block_header_size>;

static constexpr size_t endPayloadSize = 3 * sizeof(uint64_t);

static bool isBlock(ArrayRef<uint8_t> header) { return toStringRef(header).starts_with("WBLK"); }
static uint8_t kindOf(ArrayRef<uint8_t> header) { return header[4]; }
static uint64_t sizeOf(ArrayRef<uint8_t> header) {
  return warpo_block_header_size + uint64_t(read32le(header.data() + 8));
}

/// The whole block at this offset, with its payload, which is the reader's; false if there is none.
static Expected<bool> readBlock(BlockReader &reader, uint64_t offset, Block &block) {
  if (Error error = reader.seek(offset))
    return error;
  auto more = reader.next(block);
  if (!more)
    return more;
  return *more && block.offset == offset;
}

/// Where the index stands; 0 if there is none.
static Expected<uint64_t> findIndex(const InputStream &input) {
  std::array<uint8_t, warpo_block_header_size + endPayloadSize> end;
  if (*input.size() < warpo_signature_size + end.size())
    return 0;
  auto got = input.readAt(*input.size() - end.size(), end);
  if (!got)
    return got.takeError();
  bool isEnd = *got == end.size() && isBlock(end) && kindOf(end) == warpo_block_end &&
               sizeOf(end) == end.size();
  return isEnd ? read64le(end.data() + warpo_block_header_size) : 0;
}

Expected<BlockSelection> BlockSelection::create(InputStream &input, uint64_t from) {
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
  if (*fits)
    if (Error error = selection.chooseStarts(input, from))
      return error;
  return selection;
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

// What follows a block that is left out is found by its size, so all headers are looked at: one
// read of 16 bytes for a block of 20 000 events.
Expected<bool> BlockSelection::addSizes(InputStream &input, uint64_t indexOffset) {
  size_t next = 0;
  uint64_t offset = warpo_signature_size;
  while (offset < indexOffset) {
    BlockHeader header;
    auto got = input.readAt(offset, header);
    if (!got)
      return got.takeError();
    if (*got < header.size() || !isBlock(header) || sizeOf(header) > indexOffset - offset)
      return isMisfitAt(offset);
    if (kindOf(header) == warpo_block_events) {
      if (next == blocks_.size() || blocks_[next].offset != offset)
        return isMisfitAt(offset);
      blocks_[next++].size = sizeOf(header);
    }
    offset += sizeOf(header);
  }
  return next == blocks_.size() || isMisfitAt(indexOffset);
}

/// Whether the context of a block of events holds all calls that are open.
static bool hasCompleteContext(ArrayRef<uint8_t> payload) {
  ByteCursor cursor(payload);
  cursor.uleb64(); // stream
  cursor.u64();    // base
  uint64_t clocks = cursor.uleb64();
  for (uint64_t i = 0; i < clocks && cursor.ok(); ++i) {
    cursor.uleb64();
    cursor.u64();
  }
  cursor.uleb64(); // calls
  return cursor.u8() != 0 && cursor.ok();
}

Error BlockSelection::chooseStarts(InputStream &input, uint64_t from) {
  BlockReader reader(input);
  std::unordered_map<uint64_t, std::vector<size_t>> blocksOfStream;
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
      if (*found && block.kind == warpo_block_events && hasCompleteContext(block.payload))
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
