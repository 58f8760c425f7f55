//===- SymbolSet.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SymbolSet.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

Expected<SymbolSet> SymbolSet::read(ArrayRef<std::string> given) {
  SymbolSet set;
  for (StringRef text : given) {
    auto [module, path] = text.split('=');
    // A path may contain `=`.
    if (path.empty() || sys::fs::exists(text)) {
      path = text;
      module = "";
    }
    auto file = wasm::readSymbolFile(path);
    if (!file)
      return file.takeError();
    set.entries_.push_back({module.str(), std::move(*file)});
  }
  return set;
}

/// The name of a file or a module without extensions: `app` for `app.js.symbols`.
static StringRef stemOf(StringRef name) {
  return sys::path::filename(name).take_until([](char c) { return c == '.'; });
}

uint64_t warpo::identifierOf(const RecordedModule &module) {
  return module.hash.size() < sizeof(uint64_t) ? module.id
                                               : support::endian::read64le(module.hash.data());
}

static bool isCalled(const RecordedModule &module, StringRef name) {
  uint64_t id;
  StringRef digits = name;
  unsigned radix = digits.consume_front("0x") ? 16 : 10;
  return module.name == name ||
         (!digits.getAsInteger(radix, id) && (id == module.id || id == identifierOf(module)));
}

SymbolSet::Match SymbolSet::match(const Entry &entry, const RecordedModule &module, bool isOnly) {
  const wasm::SymbolFile &file = entry.file;
  if (!entry.module.empty())
    return isCalled(module, entry.module) ? Match::certain : Match::none;
  if (!file.hash.empty() && file.hash == module.hash)
    return Match::certain;
  if (!file.buildId.empty() && !module.buildId.empty())
    return file.buildId == module.buildId ? Match::certain : Match::none;
  bool isAlike = !module.name.empty() && stemOf(file.path) == stemOf(module.name);
  return isOnly || isAlike ? Match::possible : Match::none;
}

Expected<const SymbolSet::Entry *> SymbolSet::find(const RecordedModule &module) const {
  const Entry *found = nullptr;
  Match best = Match::none;
  bool isUnique = true;
  const Entry *other = nullptr;
  for (const Entry &entry : entries_) {
    Match how = match(entry, module, isOneModule_);
    if (how == Match::none || how < best)
      continue;
    isUnique = how > best;
    other = found;
    found = &entry;
    best = how;
  }
  if (!isUnique)
    return makeError("--symbols: " + other->file.path + " and " + found->file.path +
                     " may both be of module '" + module.name + "': 0x" +
                     utohexstr(module.id, /*LowerCase=*/true) + "=<file> says which is");
  return found;
}

Expected<std::vector<std::string>> SymbolSet::join(ArrayRef<RecordedModule> modules,
                                                   StringRef record) {
  isOneModule_ = modules.size() <= 1;
  RecordedModule unknown;
  if (modules.empty())
    modules = unknown;
  std::vector<const Entry *> used;
  for (const RecordedModule &module : modules) {
    auto found = find(module);
    if (!found)
      return found.takeError();
    used.push_back(*found);
    if (*found && match(**found, module, isOneModule_) == Match::possible)
      guesses_.push_back({(*found)->file.path, module});
  }
  std::vector<std::string> known;
  for (const RecordedModule &module : modules)
    known.push_back("0x" + utohexstr(module.id, /*LowerCase=*/true) +
                    (module.name.empty() ? "" : " (" + module.name + ")"));
  std::vector<std::string> unused;
  for (const Entry &entry : entries_)
    if (!is_contained(used, &entry))
      unused.push_back(entry.file.path + ": names of no module of " + record.str() +
                       ", which has " + llvm::join(known, ", ") +
                       "; --symbols=<module>=<file> says of which they are");
  return unused;
}

const wasm::SymbolFile *SymbolSet::of(const RecordedModule &module) const {
  auto found = find(module);
  if (!found) {
    // A module declared late by a pipe, with an ambiguous file.
    consumeError(found.takeError());
    return nullptr;
  }
  return *found ? &(*found)->file : nullptr;
}
