//===- SourceColumn.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SourceColumn.h"
#include "warpo/Profile/Views.h"
#include "warpo/Support/DisplayName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

// Longer names of modules would take space from numbers.
static constexpr size_t shortName = 16;

void warpo::insertTexts(Table &table, Column column, ArrayRef<std::string> texts) {
  if (all_of(texts, [](const std::string &text) { return text.empty(); }))
    return;
  table.columns.insert(table.columns.end() - 1, std::move(column));
  for (auto [row, text] : zip_equal(table.rows, texts))
    row.cells.insert(row.cells.end() - 1, text.empty() ? Cell() : Cell(text));
}

/// Frames of the host have no id and no module.
static bool hasModule(const ProfileFunction *function) { return function && function->id != 0; }

/// Whether functions of different modules have the same name, so that names alone are ambiguous.
static bool shareNames(ArrayRef<const ProfileFunction *> functions) {
  StringMap<uint32_t> modules;
  return any_of(functions, [&](const ProfileFunction *function) {
    return hasModule(function) &&
           modules.try_emplace(function->name, function->module).first->second != function->module;
  });
}

static void insertModules(Table &table, const Profile &profile,
                          ArrayRef<const ProfileFunction *> functions) {
  const auto *first = find_if(functions, hasModule);
  if (all_of(functions, [&](const ProfileFunction *function) {
        return !hasModule(function) || function->module == (*first)->module;
      }))
    return;
  std::vector<std::string> labels = moduleLabels(profile), modules;
  for (const ProfileFunction *function : functions)
    modules.push_back(hasModule(function) ? displayName(labels[function->module]) : "");
  bool areShort = all_of(modules, [](StringRef name) { return name.size() <= shortName; });
  unsigned dispensability = areShort && shareNames(functions) ? 0 : 8;
  insertTexts(table, {"module", CellKind::text, "", dispensability}, modules);
}

void warpo::insertSource(Table &table, const Profile &profile,
                         ArrayRef<const ProfileFunction *> functions) {
  insertModules(table, profile, functions);
  std::vector<std::string> places, inlined;
  for (auto [row, function] : zip_equal(table.rows, functions)) {
    std::string &place = places.emplace_back(), &names = inlined.emplace_back();
    if (!function)
      continue;
    place = displayPlace(function->file, function->line);
    for (const SharedText &name : function->inlined)
      names += (names.empty() ? "" : ", ") + displayShortName(name);
    if (!names.empty())
      row.details.push_back(displayInlined({function->inlined.begin(), function->inlined.end()}));
  }
  insertTexts(table, {"source", CellKind::text, "", 8}, places);
  insertTexts(table, {"inlined", CellKind::text, "", 8, /*isInDetails=*/true}, inlined);
}
