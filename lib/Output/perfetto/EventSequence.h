//===- EventSequence.h - The state of a stream's sequence of packets ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PERFETTO_EVENTSEQUENCE_H
#define WARPO_OUTPUT_PERFETTO_EVENTSEQUENCE_H

#include "EventPackets.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/Event.h"
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpo::perfetto {

/// The numbers of functions' names in a sequence, 0 for none. Paged, as a stream's functions are
/// close together in a table of the functions of all modules.
class NameNumbers {
public:
  static constexpr size_t pageSize = 256;
  using Page = std::array<uint32_t, pageSize>;

  /// Extends pages() to functions 0 to `count` - 1.
  void cover(size_t count) {
    if (pages_.size() * pageSize < count)
      pages_.resize((count + pageSize - 1) / pageSize, emptyPage.data());
  }
  /// The number of function f is pages()[f / pageSize][f % pageSize]. Valid until cover() is
  /// called.
  const uint32_t *const *pages() const { return pages_.data(); }

  uint32_t of(FunctionIndex function) const {
    return pages_[function / pageSize][function % pageSize];
  }
  void set(FunctionIndex function, uint32_t number) {
    const uint32_t *&page = pages_[function / pageSize];
    if (page == emptyPage.data())
      page = owned_.emplace_back(std::make_unique<Page>())->data();
    const_cast<uint32_t *>(page)[function % pageSize] = number;
  }
  void clear() {
    for (auto &page : owned_)
      page->fill(0);
  }

private:
  static constexpr Page emptyPage = {};
  std::vector<const uint32_t *> pages_;
  std::vector<std::unique_ptr<Page>> owned_;
};

/// The state of a stream's sequence of packets.
struct EventSequence {
  explicit EventSequence(StreamIndex stream) : number(stream + 1), packets(number) {}

  uint32_t number;
  EventPackets packets;
  NameNumbers names;
  /// The chunk that the sequence's state belongs to; 0: nothing has been written yet.
  uint32_t chunk = 0;
  uint32_t lastName = 0;
  std::optional<uint32_t> lostName;
  /// Of functions that lost ranges name: their texts are numbered separately from names.
  std::unordered_map<FunctionIndex, uint64_t> lostTexts;
  std::optional<uint32_t> deeperName;
  std::map<llvm::StringRef, uint32_t> flowNames;
  /// The columns with counters, in the order of these, and their current values.
  ColumnSet columns;
  Counts lastCounts = {};
  uint64_t lastTime = 0;
  uint64_t depth = 0;
};

} // namespace warpo::perfetto

#endif
