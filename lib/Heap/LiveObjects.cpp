//===- LiveObjects.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/LiveObjects.h"
#include "llvm/Support/ErrorHandling.h"
#include <sys/mman.h>
#include <utility>

using namespace warpo;

// The number of entries that are prefetched at a time.
static constexpr size_t prefetchDistance = 48;

// In large tables with pages of 4 KiB, most look-ups would also miss the TLB.
static constexpr size_t largePage = 2u << 20;
static constexpr size_t leastLarge = 8 * largePage;
static constexpr size_t cacheLine = 64;

/// Allocates memory that the caller frees; if `isLarge`, in large pages, as far as the system
/// supports them.
static void *allocate(size_t bytes, bool isLarge) {
  void *memory = std::aligned_alloc(isLarge ? largePage : cacheLine, bytes);
  if (!memory)
    llvm::report_bad_alloc_error("no memory for live objects");
  if (isLarge)
    madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

void LiveObjects::setSlots(size_t least) {
  static_assert(lineSize * sizeof(uint32_t) == cacheLine);
  size_t count = (least + lineSize - 1) / lineSize * lineSize;
  bool isLarge = count * sizeof(uint32_t) >= leastLarge;
  size_t bytes = count * sizeof(uint32_t);
  if (isLarge)
    bytes = (bytes + largePage - 1) / largePage * largePage;
  std::unique_ptr<uint32_t[], Free> before(static_cast<uint32_t *>(allocate(bytes, isLarge)));
  std::memset(before.get(), 0, bytes);
  before.swap(slots_);
  slotBytes_ = bytes;
  size_t countBefore = std::exchange(slotCount_, count);
  uint32_t maskBefore = indexMask_;
  // Entry numbers in slots are at most half the number of slots.
  indexMask_ = uint32_t(std::bit_ceil(count / 2 + 2) - 1);
  for (size_t i = 0; i < countBefore; ++i) {
    if (i + prefetchDistance < countBefore && isTaken(before[i + prefetchDistance]))
      __builtin_prefetch(&entryAt((before[i + prefetchDistance] & maskBefore) - 1));
    if (!isTaken(before[i]))
      continue;
    uint32_t index = (before[i] & maskBefore) - 1;
    uint64_t hash = hashOf(entryAt(index).address);
    size_t line = homeOf(hash);
    while (unused(line) == 0)
      line = behind(line);
    slots_[line + size_t(std::countr_zero(unused(line)))] = slotFor(hash, index);
  }
  used_ = size_;
  walked_ = 0;
}

void LiveObjects::addChunk() {
  constexpr size_t chunkBytes = chunkSize * sizeof(Entry);
  static_assert(largePage % chunkBytes == 0);
  if (chunksLeft_ == 0) {
    bool isLarge = chunkBytes_ >= leastLarge;
    size_t bytes = isLarge ? largePage : chunkBytes;
    memory_.emplace_back(static_cast<Entry *>(allocate(bytes, isLarge)));
    chunksLeft_ = bytes / chunkBytes;
    chunkBytes_ += bytes;
    chunks_.push_back(memory_.back().get());
  } else {
    chunks_.push_back(chunks_.back() + chunkSize);
  }
  --chunksLeft_;
}

void LiveObjects::changeHash() {
  uint64_t digest = multiplier_;
  forEach([&](uint64_t address, const LiveObject &) {
    digest = (std::rotl(digest, 23) ^ address) * 0xd6e8feb86659fd93u;
  });
  multiplier_ = digest | 1;
  setSlots(slotCount_);
}

size_t LiveObjects::longestWay() const {
  size_t longest = 0;
  for (size_t slot = 0; slot < slotCount_; ++slot)
    if (isTaken(slots_[slot]))
      longest = std::max(longest, distance(homeOf(hashOf(entryAt(indexIn(slots_[slot])).address)),
                                           slot / lineSize * lineSize));
  return longest;
}
