//===- LiveObjects.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/LiveObjects.h"
#include <algorithm>
#include <bit>

using namespace warpo;

// So many entries are on their way from memory at a time.
static constexpr size_t prefetchDistance = 16;

void LiveObjects::setSlots(size_t count) {
  std::vector<uint32_t> before(count);
  before.swap(slots_);
  uint32_t maskBefore = indexMask_;
  // A slot's number of an entry is at most half as large.
  indexMask_ = uint32_t(std::bit_ceil(count / 2 + 2) - 1);
  for (size_t i = 0; i < before.size(); ++i) {
    if (i + prefetchDistance < before.size() && before[i + prefetchDistance] != 0)
      prefetchEntry((before[i + prefetchDistance] & maskBefore) - 1);
    if (before[i] == 0)
      continue;
    uint32_t index = (before[i] & maskBefore) - 1;
    uint64_t address = entryAt(index).address();
    slots_[find(address)] = slotFor(hashOf(address), index);
  }
  walked_ = 0;
}

void LiveObjects::changeHash() {
  uint64_t digest = multiplier_;
  forEach([&](uint64_t address, const LiveObject &) {
    digest = (std::rotl(digest, 23) ^ address) * 0xd6e8feb86659fd93u;
  });
  multiplier_ = digest | 1;
  setSlots(slots_.size());
}

size_t LiveObjects::longestWay() const {
  size_t longest = 0;
  for (size_t slot = 0; slot < slots_.size(); ++slot)
    if (slots_[slot] != 0)
      longest = std::max(longest,
                         distance(homeOf(hashOf(entryAt(indexIn(slots_[slot])).address())), slot));
  return longest;
}
