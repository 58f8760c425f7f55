//===- FreedAddresses.h - The addresses freed last ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_HEAP_FREEDADDRESSES_H
#define WARPO_HEAP_FREEDADDRESSES_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpo {

/// Keeps the last 65,536 freed addresses. Adding one costs a store; look-ups use a table that is
/// updated on demand.
class FreedAddresses {
public:
  static constexpr size_t capacity = 65536;

  void add(uint64_t address) {
    if (last_.size() < capacity)
      last_.push_back(address);
    else
      last_[count_ % capacity] = address;
    ++count_;
  }
  bool contains(uint64_t address);

private:
  /// A ring buffer.
  std::vector<uint64_t> last_;
  uint64_t count_ = 0;
  /// The last number of each of the first `known_` addresses. Numbers may be too old.
  std::unordered_map<uint64_t, uint64_t> numbers_;
  uint64_t known_ = 0;
};

} // namespace warpo

#endif
