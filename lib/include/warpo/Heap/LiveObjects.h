//===- LiveObjects.h - What is allocated, by address ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A hash table of an index and a pool: entries of 32 bytes, half a line of a cache, never move and
// are used again, slots of 4 bytes say where they are. With 0.3 to 0.5 of the slots taken that is
// at most 46 bytes an object, of the most that there were at a time; for half a million objects and
// more memory comes in large pages, of which one each may be for those to come: 48 bytes.
//
// An address belongs into a line of 16 slots; if that is full, into the next one. A look-up
// compares a line's slots at once, by some twenty vector instructions. With millions of objects it
// also costs two cache misses, for the line and the entry, which prefetching hides. A walk from
// slot to slot costs more: the processor cannot predict where it ends.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_HEAP_LIVEOBJECTS_H
#define WARPO_HEAP_LIVEOBJECTS_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
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
  LiveObjects() { setSlots(2 * lineSize); }

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
    giveEntry(index);
    vacate(slot);
    --size_;
    return object;
  }

  /// The processor may fetch what a look-up of this address will need first; then, some look-ups
  /// later, what it will need next. Tables of millions of objects are in no cache. The second step
  /// has no branch that depends on the table: if nothing is there, it fetches the first entry.
  void prefetchSlot(uint64_t address) const {
    __builtin_prefetch(&slots_[homeOf(hashOf(address))]);
  }
  void prefetchObject(uint64_t address) const {
    if (entries_ == 0)
      return;
    uint64_t hash = hashOf(address);
    size_t line = homeOf(hash);
    // May be an unused slot, whose index is none.
    uint32_t found = mayBe(line, hash);
    uint32_t index = indexIn(slots_[line + size_t(std::countr_zero(found)) % lineSize]);
    __builtin_prefetch(&entryAt(found != 0 && index < entries_ ? index : 0));
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
    /// Of a free entry, the one that was free `knownFree` entries before it.
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
  /// An entry was there, in a full line: what is sought may lie in the next one. No index has all
  /// bits.
  static constexpr uint32_t isVacated = UINT32_MAX;
  static constexpr size_t lineSize = 16;
  static constexpr size_t chunkSize = 256;
  static constexpr size_t knownFree = 16;
  // So that the slots can be counted in 32 bits.
  static constexpr size_t maxSize = 1'500'000'000;
  // Of half as many random addresses as slots hardly any table of this size has such a way.
  static constexpr size_t longWay = 128;

  // Addresses are multiples of 8 and close to each other.
  uint64_t hashOf(uint64_t address) const {
    uint64_t hash = (address ^ address >> 32) * multiplier_;
    return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
  }
  /// The first slot of a line, as for all lines below.
  size_t homeOf(uint64_t hash) const {
    return size_t((hash >> 32) * (slotCount_ / lineSize) >> 32) * lineSize;
  }
  size_t behind(size_t line) const { return line + lineSize == slotCount_ ? 0 : line + lineSize; }
  /// How many slots a line is behind another one.
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
  /// The slots of a line that are `value` in the bits of `mask`: a bit each.
  uint32_t slotsWith(size_t line, uint32_t mask, uint32_t value) const {
    using Four [[gnu::vector_size(16)]] = uint32_t;
    Four found = {}, bits = {1, 2, 4, 8};
    for (size_t i = 0; i < lineSize; i += 4, bits <<= 4) {
      Four slots;
      std::memcpy(&slots, &slots_[line + i], sizeof(slots));
      found |= Four((slots & mask) == value) & bits;
    }
    return found[0] | found[1] | found[2] | found[3];
  }
  /// Those of which the entry, if the slot is taken, may have this hash.
  uint32_t mayBe(size_t line, uint64_t hash) const {
    return slotsWith(line, ~indexMask_, uint32_t(hash) & ~indexMask_);
  }
  uint32_t unused(size_t line) const { return slotsWith(line, ~0u, 0); }
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
    for (size_t line = home;; line = behind(line)) {
      for (uint32_t found = mayBe(line, hash); found; found &= found - 1) {
        size_t slot = line + size_t(std::countr_zero(found));
        if (isTaken(slots_[slot]) && entryAt(indexIn(slots_[slot])).address == address) {
          noteWay(distance(home, line));
          return slot;
        }
      }
      if (uint32_t free = unused(line)) {
        noteWay(distance(home, line));
        return vacated.value_or(line + size_t(std::countr_zero(free)));
      }
      if (uint32_t free = vacated ? 0 : slotsWith(line, ~0u, isVacated))
        vacated = line + size_t(std::countr_zero(free));
    }
  }
  void noteWay(size_t way) {
    if (way > longWay)
      walked_ += way;
  }
  void vacate(size_t slot) {
    bool isFull = unused(slot / lineSize * lineSize) == 0;
    slots_[slot] = isFull ? isVacated : 0;
    used_ -= !isFull;
  }
  /// Free entries are a stack. The indices of the uppermost are kept here, so that those entries
  /// are prefetched some calls before their turn; a list through the entries would wait for each.
  void giveEntry(uint32_t index) {
    uint32_t &top = free_[freeCount_++ % knownFree];
    entryAt(index).born = isFree;
    entryAt(index).path = std::exchange(top, index);
  }
  uint32_t takeEntry() {
    if (freeCount_ == 0) {
      if (entries_ == chunks_.size() * chunkSize)
        addChunk();
      return entries_++;
    }
    uint32_t &top = free_[--freeCount_ % knownFree];
    uint32_t index = std::exchange(top, entryAt(top).path);
    __builtin_prefetch(&entryAt(top), /*rw=*/1);
    return index;
  }
  void addChunk();
  void setSlots(size_t least);
  /// Takes another multiplier: addresses from a file may have been chosen so that one puts all of
  /// them into the same place. It comes from all that are live, so that none of them can have been
  /// chosen for it.
  void changeHash();

  uint64_t multiplier_ = 0x9e3779b97f4a7c15u;
  /// The sum of the long ways since the slots were made.
  uint64_t walked_ = 0;
  uint32_t indexMask_ = 0;
  /// Whole lines. 0: free.
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
  /// The uppermost of the stack of free entries, each at its number modulo knownFree.
  std::array<uint32_t, knownFree> free_{};
  size_t freeCount_ = 0;
  size_t size_ = 0;
};

} // namespace warpo

#endif
