//===- FreedAddresses.h - The addresses freed last ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_HEAP_FREEDADDRESSES_H
#define WARPO_HEAP_FREEDADDRESSES_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpo {

/// An object that is no longer live.
struct FreedObject {
  uint64_t address;
  /// The stacks of its allocation and its free.
  uint32_t allocatedBy, freedBy;
};

/// Keeps the objects at the last 65,536 freed addresses. Adding one costs a store; look-ups use a
/// table that is updated on demand.
class FreedAddresses {
public:
  static constexpr size_t capacity = 65536;

  void add(const FreedObject &object) {
    if (last_.size() < capacity)
      last_.push_back(object);
    else
      last_[count_ % capacity] = object;
    ++count_;
  }
  /// The object freed last at an address; null if there is none. Valid until the next add().
  const FreedObject *find(uint64_t address);

private:
  /// A ring buffer.
  std::vector<FreedObject> last_;
  uint64_t count_ = 0;
  /// The last number of each of the first `known_` addresses. Numbers may be too old.
  std::unordered_map<uint64_t, uint64_t> numbers_;
  uint64_t known_ = 0;
};

} // namespace warpo

#endif
