//===- LiveObjects.h - Live objects by address ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A hash table that consists of an index and a pool. Entries of the pool have 32 bytes, half a
// cache line, never move and are reused; slots of the index have 4 bytes. With 0.3 to 0.5 of the
// slots in use, that is at most 46 bytes per object, for the largest number of objects so far. From
// half a million objects on, both use large pages, the last of which may be partly unused: 48
// bytes.
//
// An address belongs into a line of 16 slots or, if that is full, into the next one. A look-up
// compares a line's slots at once, with some twenty vector instructions. With millions of objects
// it also costs two cache misses, for the line and the entry, which prefetching hides. Probing slot
// by slot would cost more: the processor cannot predict where it ends.
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
  /// The requested bytes.
  uint64_t size;
  /// The time of allocation, in counts of the record's clock and in bytes allocated before.
  uint64_t time;
  uint64_t born;
  /// A number for the allocating path.
  uint32_t path;
};

class LiveObjects {
public:
  LiveObjects() { setSlots(2 * lineSize); }

  size_t size() const { return size_; }
  /// Whether there is no space for another address.
  bool isFull() const { return size_ >= maxSize; }

  /// Adds the object at an address; isFull() must be false. Returns the object that it replaces, if
  /// any.
  std::optional<LiveObject> insert(uint64_t address, const LiveObject &object) {
    size_t slot = lookUp(address);
    if (isTaken(slots_[slot])) {
      uint32_t index = indexIn(slots_[slot]);
      LiveObject before = objectAt(index);
      setObject(index, address, object);
      return before;
    }
    // Slots must be able to refer to every entry of the pool.
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

  /// Removes and returns the object at an address; nothing if there is none.
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

  /// Prefetch the memory for a look-up of this address: first the slots and, some look-ups later,
  /// the entry. Tables of millions of objects do not fit into caches. The second step does not
  /// branch on the table's contents: if nothing is found, it fetches the first entry.
  void prefetchSlot(uint64_t address) const {
    __builtin_prefetch(&slots_[homeOf(hashOf(address))]);
  }
  void prefetchObject(uint64_t address) const {
    if (entries_ == 0)
      return;
    uint64_t hash = hashOf(address);
    size_t line = homeOf(hash);
    // May be an unused slot, which has no valid index.
    uint32_t found = mayBe(line, hash);
    uint32_t index = indexIn(slots_[line + size_t(std::countr_zero(found)) % lineSize]);
    __builtin_prefetch(&entryAt(found != 0 && index < entries_ ? index : 0));
  }

  /// Calls `visit` with each address and object, in the order of the pool.
  template <typename F> void forEach(F visit) const {
    for (uint32_t index = 0; index < entries_; ++index)
      if (entryAt(index).born != isFree)
        visit(entryAt(index).address, objectAt(index));
  }

  /// The largest distance in slots of an object from the line where it belongs.
  size_t longestWay() const;
  /// The memory of the table, except the additional memory for objects of 4 GiB or more.
  size_t bytes() const { return slotBytes_ + chunkBytes_; }

private:
  struct Entry {
    uint64_t address;
    uint64_t time;
    uint64_t born;
    /// The size, or isLarge.
    uint32_t size;
    /// For a free entry, the one `knownFree` below it in the stack of free entries.
    uint32_t path;
  };
  static_assert(sizeof(Entry) == 32);
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  /// Value of `born`.
  static constexpr uint64_t isFree = UINT64_MAX;
  /// The size is in large_.
  static constexpr uint32_t isLarge = UINT32_MAX;
  /// A removed entry in a full line: the search has to continue in the next line. No index has all
  /// bits set.
  static constexpr uint32_t isVacated = UINT32_MAX;
  static constexpr size_t lineSize = 16;
  static constexpr size_t chunkSize = 256;
  static constexpr size_t knownFree = 16;
  // Keeps the number of slots below 2^32.
  static constexpr size_t maxSize = 1'500'000'000;
  // With half as many random addresses as slots, hardly any table of this size has such a distance.
  static constexpr size_t longWay = 128;

  // Addresses are usually multiples of 8 and close to each other.
  uint64_t hashOf(uint64_t address) const {
    uint64_t hash = (address ^ address >> 32) * multiplier_;
    return (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
  }
  /// The first slot of a line, which stands for the line here and below.
  size_t homeOf(uint64_t hash) const {
    return size_t((hash >> 32) * (slotCount_ / lineSize) >> 32) * lineSize;
  }
  size_t behind(size_t line) const { return line + lineSize == slotCount_ ? 0 : line + lineSize; }
  /// The distance in slots from one line to another.
  size_t distance(size_t from, size_t to) const {
    return to >= from ? to - from : to + slotCount_ - from;
  }
  /// The low bits have the entry's number plus 1; the remaining bits have a part of the hash, so
  /// that entries of other addresses are seldom compared.
  uint32_t slotFor(uint64_t hash, uint32_t index) const {
    return (uint32_t(hash) & ~indexMask_) | (index + 1);
  }
  uint32_t indexIn(uint32_t slot) const { return (slot & indexMask_) - 1; }
  static bool isTaken(uint32_t slot) { return slot != 0 && slot != isVacated; }
  /// A bit mask of a line's slots that equal `value` in the bits of `mask`.
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
  /// A bit mask of a line's slots whose entries may have this hash; includes slots that are not in
  /// use.
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

  /// Like find(), but first changes the hash function if distances have become too long.
  size_t lookUp(uint64_t address) {
    // The distance walked so far amortises the new table.
    if (walked_ > slotCount_)
      changeHash();
    return find(address);
  }
  /// The slot of an address, or the free one where it belongs.
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
  /// Free entries are a stack. The indices of the topmost are in free_, so that these entries are
  /// prefetched some calls before they are used; a linked list would wait for each.
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
  /// Changes the multiplier: addresses in a file may have been chosen to collide with the current
  /// one. The new one depends on all live addresses, so that these cannot have been chosen for it.
  void changeHash();

  uint64_t multiplier_ = 0x9e3779b97f4a7c15u;
  /// The sum of long distances since the slots were made.
  uint64_t walked_ = 0;
  uint32_t indexMask_ = 0;
  /// Whole lines. 0: free.
  std::unique_ptr<uint32_t[], Free> slots_;
  size_t slotCount_ = 0, slotBytes_ = 0;
  /// The number of slots other than 0.
  size_t used_ = 0;
  /// Pieces of `memory_`, the last of which has space for chunksLeft_ more.
  std::vector<Entry *> chunks_;
  std::vector<std::unique_ptr<Entry[], Free>> memory_;
  size_t chunksLeft_ = 0, chunkBytes_ = 0;
  /// Sizes that do not fit into the entry, by its index.
  std::unordered_map<uint32_t, uint64_t> large_;
  uint32_t entries_ = 0;
  /// The topmost of the stack of free entries, each at its position modulo knownFree.
  std::array<uint32_t, knownFree> free_{};
  size_t freeCount_ = 0;
  size_t size_ = 0;
};

} // namespace warpo

#endif
