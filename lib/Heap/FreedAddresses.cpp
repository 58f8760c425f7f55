//===- FreedAddresses.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/FreedAddresses.h"
#include <algorithm>

using namespace warpo;

const FreedObject *FreedAddresses::find(uint64_t address) {
  uint64_t oldest = count_ - last_.size();
  // Rebuilt without entries that are too old, the table has at most `capacity` entries.
  if (numbers_.size() > 2 * capacity) {
    numbers_.clear();
    known_ = 0;
  }
  for (known_ = std::max(known_, oldest); known_ < count_; ++known_)
    numbers_[last_[known_ % capacity].address] = known_;
  auto found = numbers_.find(address);
  bool isKnown = found != numbers_.end() && found->second >= oldest;
  return isKnown ? &last_[found->second % capacity] : nullptr;
}
