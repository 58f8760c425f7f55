//===- DwarfPlaces.cpp - Units, their functions, and their lines ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "DwarfPlaces.h"
#include "DwarfTables.h"
#include "InlinedCode.h"
#include "warpo/Places/PlacesBuilder.h"
#include "warpo/Support/Errors.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include <map>
#include <set>

using namespace llvm;
using namespace warpo;

namespace {

/// Information about an entry from the unit's entries around it.
struct EntryScope {
  /// A number in the list of functions; none outside of code.
  std::optional<uint32_t> function;
  uint32_t call = 0;
  uint32_t depth = 0;
};

/// How a function was declared.
struct Declaration {
  StringRef name;
  uint32_t file = 0;
  uint32_t line = 0;
};

class DwarfReader {
public:
  explicit DwarfReader(const DwarfInput &input)
      : functions_(input.functions), units_(input.functions.size()), builder_(places_),
        tables_(input.sections) {}

  ModulePlaces read();

private:
  void readUnit(DWARFUnit &unit);
  void readEntries(DWARFUnit &unit);
  EntryScope openFunction(DWARFUnit &unit, const DWARFDie &die);
  EntryScope openCall(const DWARFDie &die, const EntryScope &around);
  void closeFunctions();
  void addDropped();
  void readLines(DWARFUnit &unit);
  void readSequence(DWARFUnit &unit, const DwarfTables::LineTable &table,
                    const DWARFDebugLine::Sequence &sequence);

  Declaration findDeclaration(DWARFDie die);
  uint32_t inlinee(const DWARFDie &die);
  uint32_t file(DWARFUnit &unit, uint64_t index);
  std::optional<uint32_t> findFunction(uint64_t address) const;
  /// The first unit that says something of a function says all.
  bool takes(DWARFUnit &unit, uint32_t function) {
    if (!units_[function])
      units_[function] = &unit;
    return units_[function] == &unit;
  }

  std::vector<FunctionPlaces> functions_;
  std::vector<const DWARFUnit *> units_;
  ModulePlaces places_;
  PlacesBuilder builder_;
  DwarfTables tables_;
  DenseMap<uint64_t, uint32_t> inlinees_;
  /// Functions with code that is not in the module, the same one perhaps several times.
  std::vector<Declaration> dropped_;
  DenseMap<std::pair<const DWARFUnit *, uint64_t>, uint32_t> files_;
  /// Of the functions of the unit, in the order of their numbers.
  std::map<uint32_t, std::vector<CallRange>> callRanges_;
  bool hasSplitUnits_ = false;
  /// Ranges of inlined code that are not within the function around it: Binaryen loses the ends of
  /// some.
  uint64_t misplacedRanges_ = 0;
};

} // namespace

// From the code of a function to what was inlined, to its declaration in a class.
static constexpr unsigned maxReferences = 8;

std::optional<uint32_t> DwarfReader::findFunction(uint64_t address) const {
  auto behind = partition_point(functions_,
                                [=](const FunctionPlaces &each) { return each.start <= address; });
  if (behind == functions_.begin() || address - std::prev(behind)->start >= std::prev(behind)->size)
    return std::nullopt;
  return uint32_t(behind - functions_.begin() - 1);
}

uint32_t DwarfReader::file(DWARFUnit &unit, uint64_t index) {
  auto [known, isNew] = files_.try_emplace({&unit, index}, 0);
  if (!isNew)
    return known->second;
  std::string path;
  const DwarfTables::LineTable *table = tables_.lines(unit);
  const char *directory = unit.getCompilationDir();
  if (table &&
      table->getFileNameByIndex(index, directory ? directory : "",
                                DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, path))
    files_[{&unit, index}] = builder_.file(path);
  return files_[{&unit, index}];
}

// Each fact is in the first entry that has it: the code's, the one that it is an instance of, or
// the declaration.
Declaration DwarfReader::findDeclaration(DWARFDie die) {
  Declaration found;
  StringRef plain;
  for (unsigned i = 0; i != maxReferences && die; ++i) {
    DWARFUnit &unit = *die.getDwarfUnit();
    if (found.name.empty())
      found.name =
          dwarf::toStringRef(die.find({dwarf::DW_AT_linkage_name, dwarf::DW_AT_MIPS_linkage_name}));
    if (plain.empty())
      plain = dwarf::toStringRef(die.find(dwarf::DW_AT_name));
    if (!found.line)
      found.line = uint32_t(dwarf::toUnsigned(die.find(dwarf::DW_AT_decl_line), 0));
    if (!found.file)
      if (auto index = dwarf::toUnsigned(die.find(dwarf::DW_AT_decl_file)))
        found.file = file(unit, *index);
    DWARFDie next = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin);
    if (!next)
      next = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_specification);
    die = next;
  }
  if (found.name.empty())
    found.name = plain;
  return found;
}

uint32_t DwarfReader::inlinee(const DWARFDie &die) {
  DWARFDie origin = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_abstract_origin);
  auto [known, isNew] = inlinees_.try_emplace(origin ? origin.getOffset() : 0, 0);
  if (!isNew || !origin)
    return known->second;
  Declaration declared = findDeclaration(origin);
  places_.inlinees.push_back({builder_.name(declared.name), declared.file, declared.line});
  return inlinees_[origin.getOffset()] = uint32_t(places_.inlinees.size());
}

EntryScope DwarfReader::openFunction(DWARFUnit &unit, const DWARFDie &die) {
  EntryScope scope;
  for (const DWARFAddressRange &range : tables_.ranges(die)) {
    scope.function = findFunction(range.LowPC);
    if (!scope.function)
      continue;
    if (!takes(unit, *scope.function) || !callRanges_.try_emplace(*scope.function).second)
      return EntryScope();
    FunctionPlaces &function = functions_[*scope.function];
    Declaration declared = findDeclaration(die);
    function.name = builder_.name(declared.name);
    function.file = declared.file;
    function.line = declared.line;
    break;
  }
  if (!scope.function && (die.find(dwarf::DW_AT_low_pc) || die.find(dwarf::DW_AT_ranges)))
    dropped_.push_back(findDeclaration(die));
  return scope;
}

// The linker keeps one unit's code of a function that is in several. Two files may have different
// functions of the same name.
void DwarfReader::addDropped() {
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> listed;
  for (const FunctionPlaces &function : places_.functions)
    listed.emplace(function.name, function.file, function.line);
  for (const Inlinee &inlinee : places_.inlinees)
    listed.emplace(inlinee.name, inlinee.file, inlinee.line);
  for (const Declaration &function : dropped_)
    if (uint32_t name = builder_.name(function.name);
        function.line && listed.emplace(name, function.file, function.line).second)
      places_.dropped.push_back({name, function.file, function.line});
}

EntryScope DwarfReader::openCall(const DWARFDie &die, const EntryScope &around) {
  if (!around.function || around.depth == maxInlinedDepth)
    return around;
  FunctionPlaces &function = functions_[*around.function];
  InlinedCall call;
  call.around = around.call;
  call.inlinee = inlinee(die);
  call.file =
      file(*die.getDwarfUnit(), dwarf::toUnsigned(die.find(dwarf::DW_AT_call_file), UINT64_MAX));
  call.line = uint32_t(dwarf::toUnsigned(die.find(dwarf::DW_AT_call_line), 0));
  call.column = uint32_t(dwarf::toUnsigned(die.find(dwarf::DW_AT_call_column), 0));
  call.discriminator = uint32_t(dwarf::toUnsigned(die.find(dwarf::DW_AT_GNU_discriminator), 0));
  function.calls.push_back(call);
  EntryScope scope = around;
  scope.call = uint32_t(function.calls.size());
  ++scope.depth;
  uint64_t start = function.start, end = start + function.size;
  for (const DWARFAddressRange &range : tables_.ranges(die)) {
    // Linkers and optimisers mark in this way what they have removed.
    if (range.LowPC == 0 || range.LowPC >= UINT32_MAX || range.LowPC >= range.HighPC)
      continue;
    if (range.LowPC >= start && range.HighPC <= end)
      callRanges_[*around.function].push_back({range.LowPC, range.HighPC, scope.call});
    else
      ++misplacedRanges_;
  }
  return scope;
}

void DwarfReader::closeFunctions() {
  for (auto &[number, ranges] : callRanges_) {
    FunctionPlaces &function = functions_[number];
    function.changes = changesOf(std::move(ranges), uint64_t(function.start) + function.size);
    dropUnusedCalls(function);
  }
  callRanges_.clear();
}

void DwarfReader::readEntries(DWARFUnit &unit) {
  std::vector<EntryScope> scopes(unit.getNumDIEs());
  uint32_t index = 0;
  for (const DWARFDebugInfoEntry &entry : unit.dies()) {
    EntryScope scope;
    if (auto parent = entry.getParentIdx(); parent && *parent < index)
      scope = scopes[*parent];
    DWARFDie die(&unit, &entry);
    if (entry.getTag() == dwarf::DW_TAG_subprogram)
      scope = openFunction(unit, die);
    else if (entry.getTag() == dwarf::DW_TAG_inlined_subroutine)
      scope = openCall(die, scope);
    scopes[index++] = scope;
  }
  closeFunctions();
}

// The last row of an offset says what it is.
static void addDiscriminator(std::vector<CodeDiscriminator> &list, uint32_t offset,
                             uint32_t value) {
  if (!list.empty() && list.back().offset > offset)
    return;
  if (!list.empty() && list.back().offset == offset)
    list.pop_back();
  if ((list.empty() ? 0 : list.back().value) != value)
    list.push_back({offset, value});
}

void DwarfReader::readSequence(DWARFUnit &unit, const DwarfTables::LineTable &table,
                               const DWARFDebugLine::Sequence &sequence) {
  // Functions that the linker has left out have no code.
  if (!findFunction(sequence.LowPC))
    return;
  uint64_t last = sequence.LowPC;
  for (unsigned i = sequence.FirstRowIndex; i != sequence.LastRowIndex; ++i) {
    const DWARFDebugLine::Row &row = table.Rows[i];
    uint64_t address = row.Address.Address;
    if (address < last)
      continue;
    last = address;
    auto number = findFunction(address);
    if (!number || !takes(unit, *number))
      continue;
    addDiscriminator(functions_[*number].discriminators, uint32_t(address),
                     row.EndSequence || !row.Line ? 0 : row.Discriminator);
    std::vector<LineRow> &rows = functions_[*number].rows;
    LineRow added{uint32_t(address), 0, 0};
    if (!row.EndSequence && row.Line)
      added = {uint32_t(address), file(unit, row.File), row.Line};
    // Another sequence may have been here.
    if (!rows.empty() && rows.back().offset > added.offset)
      continue;
    if (!rows.empty() && rows.back().offset == added.offset)
      rows.pop_back();
    if (rows.empty() || rows.back().line != added.line || rows.back().file != added.file)
      rows.push_back(added);
  }
}

void DwarfReader::readLines(DWARFUnit &unit) {
  const DwarfTables::LineTable *table = tables_.lines(unit);
  if (!table)
    return;
  std::vector<const DWARFDebugLine::Sequence *> sequences;
  for (const DWARFDebugLine::Sequence &sequence : table->Sequences)
    if (sequence.FirstRowIndex < sequence.LastRowIndex &&
        sequence.LastRowIndex <= table->Rows.size())
      sequences.push_back(&sequence);
  llvm::sort(sequences, [](auto *a, auto *b) {
    return std::pair(a->LowPC, a->FirstRowIndex) < std::pair(b->LowPC, b->FirstRowIndex);
  });
  for (const DWARFDebugLine::Sequence *sequence : sequences)
    readSequence(unit, *table, *sequence);
}

void DwarfReader::readUnit(DWARFUnit &unit) {
  if (unit.getVersion() < 2)
    return;
  DWARFDie die = unit.getUnitDIE(/*ExtractUnitDIEOnly=*/false);
  if (!die)
    return;
  hasSplitUnits_ |= unit.getDWOId().has_value();
  readEntries(unit);
  readLines(unit);
}

ModulePlaces DwarfReader::read() {
  auto context = tables_.open();
  for (const auto &unit : context->info_section_units())
    if (!tables_.claimAbbreviations(*unit)) {
      places_.problems = tables_.problems();
      return std::move(places_);
    }
  for (const auto &unit : context->info_section_units())
    if (!unit->isTypeUnit())
      readUnit(*unit);
  if (hasSplitUnits_)
    tables_.addProblem("the module has split DWARF, whose files (.dwo) are not read");
  if (misplacedRanges_)
    tables_.addProblem(
        countOf(misplacedRanges_, "range") +
        " of inlined code outside of the function around it: unknown what is inlined there");
  llvm::append_range(places_.problems, tables_.problems());

  for (FunctionPlaces &function : functions_) {
    if (!function.file && !function.line)
      if (auto row = llvm::find_if(function.rows, [](const LineRow &row) { return row.line != 0; });
          row != function.rows.end()) {
        function.file = row->file;
        function.line = row->line;
      }
    if (function.name || function.line || !function.rows.empty())
      places_.functions.push_back(std::move(function));
  }
  addDropped();
  return std::move(places_);
}

ModulePlaces warpo::readDwarf(const DwarfInput &input) { return DwarfReader(input).read(); }
