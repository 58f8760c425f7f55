//===- SectionClaims.h - Checks that a section's tables do not overlap ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_DWARF_SECTIONCLAIMS_H
#define WARPO_LIB_SOURCE_DWARF_SECTIONCLAIMS_H

#include <cstdint>
#include <map>

namespace warpo {

/// The tables used by units. Several units may share a table; but if tables could overlap, a
/// kilobyte could contain so many of them that reading all would take a billion steps.
class SectionClaims {
public:
  /// The maximum end of a table at this offset, in a section of this size; 0 if it is within
  /// another table. For a known table, its end.
  uint64_t room(uint64_t offset, uint64_t sectionSize) const {
    auto behind = ends_.upper_bound(offset);
    if (behind != ends_.begin()) {
      auto before = std::prev(behind);
      if (before->first == offset)
        return before->second;
      if (before->second > offset)
        return 0;
    }
    return behind == ends_.end() ? sectionSize : behind->first;
  }
  void claim(uint64_t offset, uint64_t end) { ends_[offset] = end; }
  bool knows(uint64_t offset) const { return ends_.count(offset) != 0; }

private:
  std::map<uint64_t, uint64_t> ends_;
};

} // namespace warpo

#endif
