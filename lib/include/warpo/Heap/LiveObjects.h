//===- LiveObjects.h - What is allocated, by address ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A hash table of an index and a pool: entries of 36 bytes never move and are used again, slots of
// 4 bytes say where they are. With 0.35 to 0.5 of the slots taken that is at most 48 bytes an
// object, of the most that there were at a time.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_HEAP_LIVEOBJECTS_H
#define WARPO_HEAP_LIVEOBJECTS_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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
    if (slots_[slot] != 0) {
      Entry &entry = entryAt(indexIn(slots_[slot]));
      LiveObject before = entry.object();
      entry.set(address, object);
      return before;
    }
    // The index has to have a number for each entry of the pool.
    if ((size_ + 1) * 2 > slots_.size()) {
      setSlots(slots_.size() * 7 / 5);
      slot = find(address);
    }
    uint32_t index = takeEntry();
    entryAt(index).set(address, object);
    slots_[slot] = slotFor(hashOf(address), index);
    ++size_;
    return std::nullopt;
  }

  /// Takes the object at an address away; nothing if there is none.
  std::optional<LiveObject> erase(uint64_t address) {
    size_t slot = lookUp(address);
    if (slots_[slot] == 0)
      return std::nullopt;
    uint32_t index = indexIn(slots_[slot]);
    LiveObject object = entryAt(index).object();
    entryAt(index).free(firstFree_);
    firstFree_ = index + 1;
    close(slot);
    --size_;
    return object;
  }

  /// The processor may fetch what a look-up of this address will need first; then, some look-ups
  /// later, what it will need next. Tables of millions of objects are in no cache.
  void prefetchSlot(uint64_t address) const {
    __builtin_prefetch(&slots_[homeOf(hashOf(address))]);
  }
  void prefetchObject(uint64_t address) const {
    if (uint32_t slot = slots_[homeOf(hashOf(address))])
      prefetchEntry(indexIn(slot));
  }

  /// Calls `visit` with each address and object, in no particular order.
  template <typename F> void forEach(F visit) const {
    for (uint32_t slot : slots_)
      if (slot != 0) {
        const Entry &entry = entryAt(indexIn(slot));
        visit(entry.address(), entry.object());
      }
  }

  /// How many slots the farthest object is behind the one where it belongs.
  size_t longestWay() const;
  /// What the table takes.
  size_t bytes() const {
    return slots_.capacity() * sizeof(uint32_t) + chunks_.size() * chunkSize * sizeof(Entry);
  }

private:
  /// Words of 32 bits, since 36 bytes are no multiple of 8.
  class Entry {
  public:
    uint64_t address() const { return wordsAt(0); }
    LiveObject object() const { return {wordsAt(2), wordsAt(4), wordsAt(6), words_[8]}; }
    void set(uint64_t address, const LiveObject &object) {
      setWords(0, address);
      setWords(2, object.size);
      setWords(4, object.time);
      setWords(6, object.born);
      words_[8] = object.path;
    }
    void free(uint32_t next) { words_[8] = next; }
    uint32_t nextFree() const { return words_[8]; }

  private:
    uint64_t wordsAt(size_t i) const { return words_[i] | uint64_t(words_[i + 1]) << 32; }
    void setWords(size_t i, uint64_t value) {
      words_[i] = uint32_t(value);
      words_[i + 1] = uint32_t(value >> 32);
    }
    uint32_t words_[9];
  };
  static_assert(sizeof(Entry) == 36);

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
  size_t homeOf(uint64_t hash) const { return size_t((hash >> 32) * slots_.size() >> 32); }
  size_t behind(size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  /// How far a slot is behind another one.
  size_t distance(size_t from, size_t to) const {
    return to >= from ? to - from : to + slots_.size() - from;
  }
  /// The number of the entry, plus 1, in the low bits; what room is left has a part of the hash, so
  /// that entries of other addresses are seldom looked at.
  uint32_t slotFor(uint64_t hash, uint32_t index) const {
    return (uint32_t(hash) & ~indexMask_) | (index + 1);
  }
  uint32_t indexIn(uint32_t slot) const { return (slot & indexMask_) - 1; }
  Entry &entryAt(uint32_t index) { return chunks_[index / chunkSize][index % chunkSize]; }
  const Entry &entryAt(uint32_t index) const {
    return chunks_[index / chunkSize][index % chunkSize];
  }

  void prefetchEntry(uint32_t index) const {
    const Entry *entry = &entryAt(index);
    __builtin_prefetch(entry);
    // It may lie in two lines of the cache.
    __builtin_prefetch(reinterpret_cast<const char *>(entry + 1) - 1);
  }
  /// Like find(), but in a table whose ways are not too long.
  size_t lookUp(uint64_t address) {
    // What was walked in vain pays for the new table.
    if (walked_ > slots_.size())
      changeHash();
    return find(address);
  }
  /// The slot of an address, or the free one where it belongs.
  size_t find(uint64_t address) {
    uint64_t hash = hashOf(address);
    size_t home = homeOf(hash);
    for (size_t slot = home;; slot = behind(slot)) {
      uint32_t found = slots_[slot];
      if (found == 0 || (((found ^ uint32_t(hash)) & ~indexMask_) == 0 &&
                         entryAt(indexIn(found)).address() == address)) {
        noteWay(distance(home, slot));
        return slot;
      }
    }
  }
  void noteWay(size_t way) {
    if (way > longWay)
      walked_ += way;
  }
  /// Frees a slot; those behind it move up that were not where they belong.
  void close(size_t hole) {
    size_t first = hole;
    size_t slot = behind(hole);
    for (; slots_[slot] != 0; slot = behind(slot)) {
      size_t home = homeOf(hashOf(entryAt(indexIn(slots_[slot])).address()));
      if (distance(home, slot) >= distance(hole, slot)) {
        slots_[hole] = slots_[slot];
        hole = slot;
      }
    }
    slots_[hole] = 0;
    noteWay(distance(first, slot));
  }
  uint32_t takeEntry() {
    if (firstFree_ == 0) {
      if (entries_ == chunks_.size() * chunkSize)
        chunks_.emplace_back(new Entry[chunkSize]);
      return entries_++;
    }
    uint32_t index = firstFree_ - 1;
    firstFree_ = entryAt(index).nextFree();
    return index;
  }
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
  std::vector<uint32_t> slots_;
  std::vector<std::unique_ptr<Entry[]>> chunks_;
  uint32_t entries_ = 0;
  /// Plus 1.
  uint32_t firstFree_ = 0;
  size_t size_ = 0;
};

} // namespace warpo

#endif
