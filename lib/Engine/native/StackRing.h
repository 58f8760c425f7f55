//===- StackRing.h - Passes stacks out of a signal handler ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One signal handler writes, one thread reads. The writer never waits: a stack for which there is
// no room is dropped and counted.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_STACKRING_H
#define WARPO_LIB_ENGINE_NATIVE_STACKRING_H

#include "llvm/ADT/ArrayRef.h"
#include <atomic>
#include <cstdint>
#include <sys/mman.h>
#include <vector>

namespace warpo {

/// A ring of words, whose memory is committed when it is first used.
class StackRing {
public:
  StackRing() = default;
  StackRing(const StackRing &) = delete;
  StackRing &operator=(const StackRing &) = delete;
  ~StackRing() {
    if (words_)
      munmap(words_, bytes);
  }

  /// Returns false if there is no memory.
  bool allocate() {
    void *place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    words_ = place == MAP_FAILED ? nullptr : static_cast<uint64_t *>(place);
    return words_ != nullptr;
  }

  /// Words that are written together; the reader sees them after publish().
  class Entry {
  public:
    explicit Entry(StackRing &ring)
        : ring_(ring), begin_(ring.written_.load(std::memory_order_relaxed)), end_(begin_ + 1),
          limit_(ring.read_.load(std::memory_order_acquire) + size) {}
    void put(uint64_t word) {
      if (end_ < limit_)
        ring_.at(end_) = word;
      ++end_;
    }
    /// Returns whether the reader should be woken, as the ring fills up; false if there was no
    /// room.
    bool publish() {
      if (end_ > limit_) {
        ring_.lost_.fetch_add(1, std::memory_order_relaxed);
        return false;
      }
      ring_.at(begin_) = end_ - begin_ - 1;
      ring_.written_.store(end_, std::memory_order_release);
      return limit_ - end_ < size / 2;
    }

  private:
    StackRing &ring_;
    uint64_t begin_, end_, limit_;
  };

  /// Moves the next entry to `words`; false if there is none.
  bool take(std::vector<uint64_t> &words) {
    uint64_t at = read_.load(std::memory_order_relaxed);
    if (at == written_.load(std::memory_order_acquire))
      return false;
    words.resize(this->at(at++));
    for (uint64_t &word : words)
      word = this->at(at++);
    read_.store(at, std::memory_order_release);
    return true;
  }
  /// Returns the number of entries dropped since the last call.
  uint64_t takeLost() { return lost_.exchange(0, std::memory_order_relaxed); }

  /// In words: room for a hundred of the longest stacks.
  static constexpr uint64_t size = uint64_t(1) << 19;

private:
  static constexpr size_t bytes = size * sizeof(uint64_t);
  uint64_t &at(uint64_t position) { return words_[position % size]; }

  uint64_t *words_ = nullptr;
  /// The total number of words written and read so far, and of dropped entries.
  std::atomic<uint64_t> written_ = 0, read_ = 0, lost_ = 0;
};

} // namespace warpo

#endif
