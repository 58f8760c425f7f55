//===- LiveObjects.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/LiveObjects.h"
#include "llvm/Support/ErrorHandling.h"
#include <bit>

using namespace warpo;

void LiveObjects::setSlots(size_t count) {
  if (count > UINT32_MAX)
    llvm::report_fatal_error("more than two thousand million live objects");
  std::vector<uint32_t> before(count);
  before.swap(slots_);
  uint32_t maskBefore = indexMask_;
  // A slot's number of an entry is at most half as large.
  indexMask_ = uint32_t(std::bit_ceil(count / 2 + 2) - 1);
  for (uint32_t slot : before) {
    if (slot == 0)
      continue;
    uint32_t index = (slot & maskBefore) - 1;
    uint64_t address = entryAt(index).address();
    slots_[find(address)] = slotFor(hashOf(address), index);
  }
}
