//===- LiveObjects.h - What is allocated, by address ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A hash table of an index and a pool: entries of 32 bytes, half a line of a cache, never move and
// are used again, slots of 4 bytes say where they are. With 0.3 to 0.5 of the slots taken that is
// at most 46 bytes an object, of the most that there were at a time; for half a million objects and
// more memory comes in large pages, of which one each may be for those to come: 48 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_HEAP_LIVEOBJECTS_H
#define WARPO_HEAP_LIVEOBJECTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpo {

struct LiveObject {
  /// What was asked for, in bytes.
  uint64_t size;
  /// When it was allocated, in counts of the record's clock, and how many bytes had been allocated
  /// until then.
  uint64_t time;
  uint64_t born;
  /// A number of whoever allocated it.
  uint32_t path;
};

class LiveObjects {
public:
  LiveObjects() { setSlots(24); }

  size_t size() const { return size_; }
  /// There is no room for the object of a further address.
  bool isFull() const { return size_ >= maxSize; }

  /// Puts an object at an address, unless isFull(). Returns the one that it takes the place of, if
  /// there is one.
  std::optional<LiveObject> insert(uint64_t address, const LiveObject &object) {
    size_t slot = lookUp(address);
    if (isTaken(slots_[slot])) {
      uint32_t index = indexIn(slots_[slot]);
      LiveObject before = objectAt(index);
      setObject(index, address, object);
      return before;
    }
    // The index has to have a number for each entry of the pool.
    bool isFull = (size_ + 1) * 2 > slotCount_;
    if (isFull || (slots_[slot] == 0 && used_ >= slotCount_ / 4 * 3)) {
      setSlots(isFull ? slotCount_ * 5 / 3 : slotCount_);
      slot = find(address);
    }
    uint32_t index = takeEntry();
    setObject(index, address, object);
    used_ += slots_[slot] == 0;
    slots_[slot] = slotFor(hashOf(address), index);
    ++size_;
    return std::nullopt;
  }

  /// Takes the object at an address away; nothing if there is none.
  std::optional<LiveObject> erase(uint64_t address) {
    size_t slot = lookUp(address);
    if (!isTaken(slots_[slot]))
      return std::nullopt;
    uint32_t index = indexIn(slots_[slot]);
    LiveObject object = objectAt(index);
    if (object.size >= isLarge)
      large_.erase(index);
    entryAt(index).born = isFree;
    entryAt(index).path = firstFree_;
    firstFree_ = index + 1;
    vacate(slot);
    --size_;
    return object;
  }

  /// The processor may fetch what a look-up of this address will need first; then, some look-ups
  /// later, what it will need next. Tables of millions of objects are in no cache.
  void prefetchSlot(uint64_t address) const {
    __builtin_prefetch(&slots_[homeOf(hashOf(address))]);
  }
  void prefetchObject(uint64_t address) const {
    constexpr unsigned mostSlots = 4;
    uint64_t hash = hashOf(address);
    size_t slot = homeOf(hash);
    for (unsigned i = 0; i < mostSlots && slots_[slot] != 0; ++i, slot = behind(slot))
      if (mayBe(slots_[slot], hash)) {
        __builtin_prefetch(&entryAt(indexIn(slots_[slot])));
        return;
      }
  }

  /// Calls `visit` with each address and object, in no particular order: as they lie in memory.
  template <typename F> void forEach(F visit) const {
    for (uint32_t index = 0; index < entries_; ++index)
      if (entryAt(index).born != isFree)
        visit(entryAt(index).address, objectAt(index));
  }

  /// How many slots the farthest object is behind the one where it belongs.
  size_t longestWay() const;
  /// What the table takes, but for objects of 4 GiB or more: each of these takes more.
  size_t bytes() const { return slotBytes_ + chunkBytes_; }

private:
  struct Entry {
    uint64_t address;
    uint64_t time;
    uint64_t born;
    /// Or isLarge.
    uint32_t size;
    /// Of a free entry, the next one plus 1.
    uint32_t path;
  };
  static_assert(sizeof(Entry) == 32);
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  /// In the place of `born`.
  static constexpr uint64_t isFree = UINT64_MAX;
  /// The size stands in large_.
  static constexpr uint32_t isLarge = UINT32_MAX;
  /// An entry was there: what is sought may lie behind it. No index has all bits.
  static constexpr uint32_t isVacated = UINT32_MAX;
  static constexpr size_t chunkSize = 256;
  // So that the slots can be counted in 32 bits.
  static constexpr size_t maxSize = 1'500'000'000;
  // Of half as many random addresses as slots hardly any table of this size has such a way.
  static constexpr size_t longWay = 128;

  // Addresses are multiples of 8 and close to each other.
  uint64_t hashOf(uint64_t address) const {
    uint64_t hash = (address ^ address >> 32) * multiplier_;
    return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
  }
  size_t homeOf(uint64_t hash) const { return size_t((hash >> 32) * slotCount_ >> 32); }
  size_t behind(size_t slot) const { return slot + 1 == slotCount_ ? 0 : slot + 1; }
  /// How far a slot is behind another one.
  size_t distance(size_t from, size_t to) const {
    return to >= from ? to - from : to + slotCount_ - from;
  }
  /// The number of the entry, plus 1, in the low bits; what room is left has a part of the hash, so
  /// that entries of other addresses are seldom looked at.
  uint32_t slotFor(uint64_t hash, uint32_t index) const {
    return (uint32_t(hash) & ~indexMask_) | (index + 1);
  }
  uint32_t indexIn(uint32_t slot) const { return (slot & indexMask_) - 1; }
  static bool isTaken(uint32_t slot) { return slot != 0 && slot != isVacated; }
  /// Whether what a slot, which is not 0, refers to may have this hash.
  bool mayBe(uint32_t slot, uint64_t hash) const {
    return ((slot ^ uint32_t(hash)) & ~indexMask_) == 0 && slot != isVacated;
  }
  Entry &entryAt(uint32_t index) { return chunks_[index / chunkSize][index % chunkSize]; }
  const Entry &entryAt(uint32_t index) const {
    return chunks_[index / chunkSize][index % chunkSize];
  }
  LiveObject objectAt(uint32_t index) const {
    const Entry &entry = entryAt(index);
    uint64_t size = entry.size == isLarge ? large_.at(index) : entry.size;
    return {size, entry.time, entry.born, entry.path};
  }
  void setObject(uint32_t index, uint64_t address, const LiveObject &object) {
    if (object.size >= isLarge)
      large_[index] = object.size;
    entryAt(index) = {address, object.time, std::min(object.born, isFree - 1),
                      uint32_t(std::min<uint64_t>(object.size, isLarge)), object.path};
  }

  /// Like find(), but in a table whose ways are not too long.
  size_t lookUp(uint64_t address) {
    // What was walked in vain pays for the new table.
    if (walked_ > slotCount_)
      changeHash();
    return find(address);
  }
  /// The slot of an address, or the one where it belongs, which is not taken.
  size_t find(uint64_t address) {
    uint64_t hash = hashOf(address);
    size_t home = homeOf(hash);
    std::optional<size_t> vacated;
    size_t slot = home;
    for (; slots_[slot] != 0; slot = behind(slot)) {
      if (mayBe(slots_[slot], hash) && entryAt(indexIn(slots_[slot])).address == address) {
        noteWay(distance(home, slot));
        return slot;
      }
      if (slots_[slot] == isVacated && !vacated)
        vacated = slot;
    }
    noteWay(distance(home, slot));
    return vacated.value_or(slot);
  }
  void noteWay(size_t way) {
    if (way > longWay)
      walked_ += way;
  }
  void vacate(size_t slot) {
    slots_[slot] = isVacated;
    if (slots_[behind(slot)] != 0)
      return;
    // Nothing lies behind it.
    for (; slots_[slot] == isVacated; slot = slot == 0 ? slotCount_ - 1 : slot - 1) {
      slots_[slot] = 0;
      --used_;
    }
  }
  uint32_t takeEntry() {
    if (firstFree_ == 0) {
      if (entries_ == chunks_.size() * chunkSize)
        addChunk();
      return entries_++;
    }
    uint32_t index = firstFree_ - 1;
    firstFree_ = entryAt(index).path;
    return index;
  }
  void addChunk();
  void setSlots(size_t count);
  /// Takes another multiplier: addresses from a file may have been chosen so that one puts all of
  /// them into the same place. It comes from all that are live, so that none of them can have been
  /// chosen for it.
  void changeHash();

  uint64_t multiplier_ = 0x9e3779b97f4a7c15u;
  /// The sum of the long ways since the slots were made.
  uint64_t walked_ = 0;
  uint32_t indexMask_ = 0;
  /// 0: free.
  std::unique_ptr<uint32_t[], Free> slots_;
  size_t slotCount_ = 0, slotBytes_ = 0;
  /// Slots other than 0.
  size_t used_ = 0;
  /// Pieces of `memory_`, of which the last has room for so many more.
  std::vector<Entry *> chunks_;
  std::vector<std::unique_ptr<Entry[], Free>> memory_;
  size_t chunksLeft_ = 0, chunkBytes_ = 0;
  /// Sizes of objects whose entry has no room for them, by its index.
  std::unordered_map<uint32_t, uint64_t> large_;
  uint32_t entries_ = 0;
  /// Plus 1.
  uint32_t firstFree_ = 0;
  size_t size_ = 0;
};

} // namespace warpo

#endif
