//===- EntrySorter.h - Sorts written entries by function index ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_ENTRYSORTER_H
#define WARPO_LIB_WASM_ENTRYSORTER_H

#include "warpo/Support/ByteWriter.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>
#include <vector>

namespace warpo::wasm {

/// For a list that has entries of functions and must be sorted by their indices: sorts entries that
/// were written in the order of the original by their new indices.
class EntrySorter {
public:
  explicit EntrySorter(ByteWriter &writer) : writer_(writer) {}

  /// The next bytes written begin an entry.
  void begin(uint32_t newIndex) { entries_.push_back({newIndex, writer_.size(), 0}); }

  /// The last entry ends with the last byte written. Sorts the entries in place.
  void finish() {
    if (entries_.empty())
      return;
    for (size_t i = 0; i != entries_.size(); ++i)
      entries_[i].end = i + 1 == entries_.size() ? writer_.size() : entries_[i + 1].begin;
    size_t first = entries_.front().begin;
    llvm::SmallVector<uint8_t, 0> unsorted(writer_.writtenFrom(first));
    // Not std::stable_sort: libstdc++ allocates its buffer by a deprecated function.
    llvm::sort(entries_, [](const Entry &left, const Entry &right) {
      return std::tie(left.newIndex, left.begin) < std::tie(right.newIndex, right.begin);
    });
    writer_.truncate(first);
    for (const Entry &entry : entries_)
      writer_.bytes(&unsorted[entry.begin - first],
                    &unsorted[entry.begin - first] + (entry.end - entry.begin));
  }

private:
  struct Entry {
    uint32_t newIndex;
    size_t begin;
    size_t end;
  };

  ByteWriter &writer_;
  std::vector<Entry> entries_;
};

} // namespace warpo::wasm

#endif
