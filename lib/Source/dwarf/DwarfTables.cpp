//===- DwarfTables.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DwarfTables.h"
#include "warpo/Support/Errors.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"

using namespace llvm;
using namespace warpo;

// Damaged input may have a problem at each byte.
static constexpr uint64_t maxProblems = 4;
DwarfTables::DwarfTables(ArrayRef<DwarfSection> sections) {
  for (const DwarfSection &section : sections) {
    StringRef name = section.name;
    name.consume_front(".");
    sections_[name] = MemoryBuffer::getMemBuffer(section.contents, section.name, false);
    // No list of ranges has more than one for two bytes, unless several share it.
    rangesLeft_ += section.contents.size();
  }
}

std::unique_ptr<DWARFContext> DwarfTables::open() {
  auto take = [this](Error error) { addProblem(std::move(error)); };
  constexpr uint8_t addressSize = 4;
  return DWARFContext::create(sections_, addressSize, /*isLittleEndian=*/true, take, take);
}

void DwarfTables::addProblem(const Twine &problem) {
  if (++problems_ <= maxProblems)
    firstProblems_.push_back(problem.str());
}

std::vector<std::string> DwarfTables::problems() const {
  std::vector<std::string> problems = firstProblems_;
  if (problems_ > maxProblems)
    problems.push_back("and " + countOf(problems_ - maxProblems, "further problem"));
  return problems;
}

// An empty one behind the section's end.
ByteCursor DwarfTables::cursorAt(StringRef section, uint64_t offset, uint64_t end) const {
  auto found = sections_.find(section);
  if (found == sections_.end())
    return ByteCursor({});
  StringRef contents = found->second->getBuffer();
  return ByteCursor(arrayRefFromStringRef(contents.slice(offset, end)));
}

// Whether the unit's line table, if it has one, is there and shares nothing with that of another.
bool DwarfTables::claimLines(DWARFUnit &unit) {
  auto offset = dwarf::toSectionOffset(unit.getUnitDIE().find(dwarf::DW_AT_stmt_list));
  if (!offset || lines_.knows(*offset))
    return true;
  uint64_t room = lines_.room(*offset, UINT64_MAX);
  ByteCursor cursor = cursorAt("debug_line", *offset, room);
  uint64_t size = cursor.u32();
  if (size == dwarf::DW_LENGTH_DWARF64)
    size = cursor.u64();
  if (!cursor.ok() || (room != UINT64_MAX && size > cursor.remaining())) {
    addProblem("a line table at " + Twine(*offset) + " ends in another one, or is not there");
    return false;
  }
  lines_.claim(*offset, *offset + cursor.offset() + std::min<uint64_t>(size, cursor.remaining()));
  return true;
}

bool DwarfTables::claimAbbreviations(const DWARFUnit &unit) {
  uint64_t offset = unit.getAbbreviationsOffset();
  if (abbreviations_.knows(offset))
    return true;
  uint64_t room = abbreviations_.room(offset, UINT64_MAX);
  ByteCursor cursor = cursorAt("debug_abbrev", offset, room);
  while (cursor.ok() && cursor.uleb64()) {
    cursor.uleb64();
    cursor.u8();
    for (uint64_t attribute = 1, form = 1; cursor.ok() && (attribute || form);) {
      attribute = cursor.uleb64();
      form = cursor.uleb64();
      if (form == dwarf::DW_FORM_implicit_const)
        cursor.sleb64();
    }
  }
  if (!cursor.ok() && room != UINT64_MAX) {
    addProblem("the abbreviations at " + Twine(offset) + " end in those of another unit");
    return false;
  }
  abbreviations_.claim(offset, offset + cursor.offset());
  return true;
}

const DwarfTables::LineTable *DwarfTables::lines(DWARFUnit &unit) {
  if (!claimLines(unit))
    return nullptr;
  auto table = unit.getContext().getLineTableForUnit(
      &unit, [this](Error error) { addProblem(std::move(error)); });
  if (table)
    return *table;
  addProblem(table.takeError());
  return nullptr;
}

DWARFAddressRangesVector DwarfTables::ranges(const DWARFDie &die) {
  if (!rangesLeft_)
    return {};
  auto ranges = die.getAddressRanges();
  if (!ranges) {
    addProblem(ranges.takeError());
    return {};
  }
  if (ranges->size() > rangesLeft_) {
    addProblem("there are too many ranges of code: the rest is not read");
    rangesLeft_ = 0;
    return {};
  }
  rangesLeft_ -= ranges->size();
  return std::move(*ranges);
}
