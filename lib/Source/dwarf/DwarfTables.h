//===- DwarfTables.h - Tables shared by DWARF units -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_DWARF_DWARFTABLES_H
#define WARPO_LIB_SOURCE_DWARF_DWARFTABLES_H

#include "DwarfPlaces.h"
#include "SectionClaims.h"
#include "warpo/Support/ByteCursor.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"

namespace warpo {

/// The sections, with checks which of their tables may be read: hostile ones would take unlimited
/// time. Collects problems.
class DwarfTables {
public:
  using LineTable = llvm::DWARFDebugLine::LineTable;

  /// The contents must outlive the tables.
  explicit DwarfTables(llvm::ArrayRef<DwarfSection> sections);

  /// LLVM's view of the sections. The tables must outlive it.
  std::unique_ptr<llvm::DWARFContext> open();
  /// The line table of a unit; null if it has none that can be read.
  const LineTable *lines(llvm::DWARFUnit &unit);
  /// Whether the unit's abbreviations are equal to those of another unit or do not overlap any.
  bool claimAbbreviations(const llvm::DWARFUnit &unit);
  /// The code ranges of an entry; empty if it has none that can be read.
  llvm::DWARFAddressRangesVector ranges(const llvm::DWARFDie &die);

  void addProblem(const llvm::Twine &problem);
  void addProblem(llvm::Error error) { addProblem(toString(std::move(error))); }
  /// The first problems, and the number of further ones.
  std::vector<std::string> problems() const;

private:
  bool claimLines(llvm::DWARFUnit &unit);
  ByteCursor cursorAt(llvm::StringRef section, uint64_t offset, uint64_t end) const;

  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> sections_;
  SectionClaims lines_, abbreviations_;
  uint64_t rangesLeft_ = 0;
  std::vector<std::string> firstProblems_;
  uint64_t problems_ = 0;
};

} // namespace warpo

#endif
