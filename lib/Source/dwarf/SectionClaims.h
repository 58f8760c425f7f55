//===- SectionClaims.h - Tables of a section that must not overlap --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_DWARF_SECTIONCLAIMS_H
#define WARPO_LIB_SOURCE_DWARF_SECTIONCLAIMS_H

#include <cstdint>
#include <map>

namespace warpo {

/// The tables that units have asked for. Several units may share a table; but if tables overlapped,
/// a kilobyte could hold a million of them, and reading each would take a billion steps.
class SectionClaims {
public:
  /// How far a table at this offset may reach, in a section of so many bytes; 0 if another table is
  /// there. For a known table this is its end.
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
