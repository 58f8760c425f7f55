//===- ObjectReader.cpp - Code tables of a shared object ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "../CodeTables.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugFrame.h"
#include "llvm/Object/ObjectFile.h"
#include <map>
#include <set>

using namespace llvm;
using namespace warpo;

namespace {

/// In DWARF's numbering for x86-64 (System V ABI, AMD64 supplement, figure 3.36).
enum : uint32_t { framePointerNumber = 6, stackPointerNumber = 7, returnAddressNumber = 16 };

/// An address in the tables; fails if the code is too large for them.
Expected<uint32_t> placeOf(uint64_t address) {
  if (address > UINT32_MAX)
    return makeError("its code is larger than 4 GiB");
  return uint32_t(address);
}

UnwindRule ruleOf(const dwarf::UnwindRow &row, uint32_t begin) {
  using dwarf::UnwindLocation;
  UnwindRule rule = {begin, UnwindRule::unknown, 0, 0};
  const UnwindLocation &end = row.getCFAValue();
  const dwarf::RegisterLocations &registers = row.getRegisterLocations();
  auto back = registers.getRegisterLocation(returnAddressNumber);
  auto saved = registers.getRegisterLocation(framePointerNumber);
  if (!back || *back != UnwindLocation::createAtCFAPlusOffset(-int32_t(sizeof(uint64_t))) ||
      (saved && *saved != UnwindLocation::createAtCFAPlusOffset(saved->getOffset())))
    return rule;
  for (auto [number, base] : {std::pair(stackPointerNumber, UnwindRule::stackPointer),
                              std::pair(framePointerNumber, UnwindRule::framePointer)})
    if (end == UnwindLocation::createIsRegisterPlusOffset(number, end.getOffset()))
      rule.base = base;
  rule.offset = end.getOffset();
  rule.savedFramePointer = saved ? saved->getOffset() : 0;
  return rule;
}

Expected<std::vector<UnwindRule>> readRules(DWARFContext &context) {
  auto frames = context.getEHFrame();
  if (!frames)
    return frames.takeError();
  std::vector<UnwindRule> rules;
  for (const dwarf::FrameEntry &entry : (*frames)->entries()) {
    const auto *function = dyn_cast<dwarf::FDE>(&entry);
    if (!function)
      continue;
    auto end = placeOf(function->getInitialLocation() + function->getAddressRange());
    if (!end)
      return end.takeError();
    auto table = dwarf::UnwindTable::create(function);
    if (!table)
      return table.takeError();
    for (const dwarf::UnwindRow &row : *table)
      rules.push_back(ruleOf(row, uint32_t(row.getAddress())));
    rules.push_back({*end, UnwindRule::unknown, 0, 0});
  }
  // If one function ends where the next begins, the rule of the latter counts.
  llvm::sort(rules, [](const UnwindRule &one, const UnwindRule &other) {
    return std::pair(one.begin, one.base) < std::pair(other.begin, other.base);
  });
  std::vector<UnwindRule> kept;
  for (const UnwindRule &rule : rules) {
    if (!kept.empty() && kept.back().begin == rule.begin)
      kept.pop_back();
    kept.push_back(rule);
  }
  return kept;
}

/// Finds the innermost function at each address.
class PlaceReader {
public:
  PlaceReader(const StringMap<uint32_t> &functions, std::vector<FunctionAt> &found)
      : functions_(functions), found_(found) {}

  Error add(const DWARFDie &entry) { return add(entry, 0, 0); }

  std::vector<CodeTables::Place> finish() {
    llvm::sort(edges_, [](const Edge &one, const Edge &other) {
      return std::pair(one.address, one.isBegin) < std::pair(other.address, other.isBegin);
    });
    // Sorted by the depth of inlining.
    std::multiset<std::pair<uint32_t, uint32_t>> open;
    std::vector<CodeTables::Place> places;
    for (size_t i = 0; i < edges_.size(); ++i) {
      const Edge &edge = edges_[i];
      std::pair function(edge.depth, edge.number);
      if (edge.isBegin)
        open.insert(function);
      else
        open.erase(open.find(function));
      bool isLast = i + 1 == edges_.size() || edges_[i + 1].address != edge.address;
      uint32_t innermost = open.empty() ? 0 : open.rbegin()->second;
      if (isLast && (places.empty() || places.back().innermost != innermost))
        places.push_back({edge.address, innermost});
    }
    return places;
  }

private:
  struct Edge {
    uint32_t address;
    bool isBegin;
    uint32_t depth, number;
  };

  /// Adds an entry within the function number `parent`, with its children. C helpers, which are not
  /// functions of the module, belong to the function that contains them.
  Error add(const DWARFDie &entry, uint32_t parent, uint32_t depth) {
    bool isFunction = entry.getTag() == dwarf::DW_TAG_subprogram ||
                      entry.getTag() == dwarf::DW_TAG_inlined_subroutine;
    if (isFunction) {
      const char *name = entry.getName(DINameKind::ShortName);
      auto function = name ? functions_.find(name) : functions_.end();
      if (function != functions_.end()) {
        parent = numberOf({parent, function->second});
        if (Error error = addRanges(entry, parent, ++depth))
          return error;
      }
    }
    for (const DWARFDie &child : entry.children())
      if (Error error = add(child, parent, depth))
        return error;
    return Error::success();
  }

  Error addRanges(const DWARFDie &entry, uint32_t number, uint32_t depth) {
    auto ranges = entry.getAddressRanges();
    if (!ranges)
      return ranges.takeError();
    for (const DWARFAddressRange &range : *ranges) {
      auto begin = placeOf(range.LowPC), end = placeOf(range.HighPC);
      if (!begin || !end)
        return joinErrors(begin.takeError(), end.takeError());
      if (*begin >= *end)
        continue;
      edges_.push_back({*begin, true, depth, number});
      edges_.push_back({*end, false, depth, number});
    }
    return Error::success();
  }

  uint32_t numberOf(const FunctionAt &function) {
    auto [at, isNew] = numbers_.try_emplace({function.parent, function.function}, found_.size());
    if (isNew)
      found_.push_back(function);
    return at->second;
  }

  const StringMap<uint32_t> &functions_;
  std::vector<FunctionAt> &found_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers_;
  std::vector<Edge> edges_;
};

} // namespace

Expected<CodeTables> CodeTables::ofObject(StringRef path, const StringMap<uint32_t> &functions) {
  auto object = object::ObjectFile::createObjectFile(path);
  if (!object)
    return fileError(path, toString(object.takeError()));
  std::unique_ptr<DWARFContext> context = DWARFContext::create(*object->getBinary());
  auto rules = readRules(*context);
  if (!rules)
    return fileError(path, toString(rules.takeError()));
  std::vector<FunctionAt> found = {{}};
  PlaceReader places(functions, found);
  for (const auto &unit : context->compile_units())
    for (const DWARFDie &entry : unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false).children())
      if (Error error = places.add(entry))
        return fileError(path, toString(std::move(error)));
  return CodeTables(std::move(*rules), places.finish(), std::move(found));
}
