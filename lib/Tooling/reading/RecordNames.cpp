//===- RecordNames.cpp - Names and places that a record lacks -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PlacesSet.h"
#include "SymbolSet.h"
#include "warpo/Support/Errors.h"
#include "warpo/Tooling/ReadingTool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace warpo;

Expected<std::vector<RecordedModule>> RecordInput::findModules() const {
  std::vector<RecordedModule> modules;
  auto addModule = [&](const RecordedModule &module) {
    if (none_of(modules, [&](const RecordedModule &known) {
          return known.id == module.id && known.name == module.name && known.hash == module.hash;
        }))
      modules.push_back(module);
  };
  auto add = [&](const RecordHeader &header) {
    for_each(header.modules, addModule);
    if (!header.modules.empty())
      return;
    for (const StreamInfo &stream : header.streams)
      for (uint64_t id : stream.moduleIds()) {
        RecordedModule module;
        module.id = id;
        addModule(module);
      }
  };
  add(reader_->header());
  for (StringRef path : paths_) {
    // A pipe can be read only once.
    if (path == inputName("-") || !sys::fs::is_regular_file(path))
      continue;
    auto reader = openAgain(path);
    if (!reader)
      return reader.takeError();
    if (auto ahead = (*reader)->declareAhead(); !ahead)
      return ahead.takeError();
    // WARP's records have modules only in their entries. Damage is reported when they are read
    // again.
    RecordBatch batch;
    for (bool more = (*reader)->header().modules.empty(); more;) {
      auto got = (*reader)->next(batch);
      more = got && *got;
      if (!got)
        consumeError(got.takeError());
    }
    add((*reader)->header());
  }
  return modules;
}

/// Reads the files given by an option, and assigns them to the record's modules. Only warns about
/// files without a module, as two compared records may need different files.
template <class Files>
static Expected<Files>
joinFiles(const TextsOption &given, StringRef record,
          function_ref<Expected<std::vector<RecordedModule>>()> findModules) {
  auto files = Files::read(ArrayRef<std::string>(given));
  if (!files)
    return files.takeError();
  auto modules = findModules();
  if (!modules)
    return modules.takeError();
  auto unused = files->join(*modules, record);
  if (!unused)
    return unused.takeError();
  for (const std::string &text : *unused)
    warn(text);
  return files;
}

/// Two compared records may have different modules; a file that does not identify its module can
/// only be used for one of them.
static Error checkGuesses(const SymbolSet &symbols, StringRef record) {
  static StringMap<std::pair<uint64_t, std::string>> known;
  for (const auto &[file, module] : symbols.guesses()) {
    uint64_t id = identifierOf(module);
    const auto &[otherId, other] = known.try_emplace(file, id, record.str()).first->second;
    if (otherId != id)
      return fileError(file, "may be of module 0x" + utohexstr(otherId, /*LowerCase=*/true) +
                                 " of " + other + " and of module 0x" +
                                 utohexstr(id, /*LowerCase=*/true) + " of " + record +
                                 "; --symbols=<module>=<file> says of which");
  }
  return Error::success();
}

Error RecordInput::nameFunctions() {
  auto modules = [this] { return findModules(); };
  if (options_.placesFrom && !options_.placesFrom->empty()) {
    auto files = joinFiles<PlacesSet>(*options_.placesFrom, title(), modules);
    if (!files)
      return files.takeError();
    reader_ = withPlaces(std::move(reader_), std::move(*files));
  }
  bool isNamed = options_.symbols && !options_.symbols->empty();
  if (isNamed && !mapping_.empty())
    return fileError(mapping_, "a mapping and --symbols exclude each other");
  if (isNamed) {
    auto symbols = joinFiles<SymbolSet>(*options_.symbols, title(), modules);
    if (!symbols)
      return symbols.takeError();
    if (Error error = checkGuesses(*symbols, title()))
      return error;
    reader_ = withNames(std::move(reader_), std::move(*symbols));
  }
  reader_->observe(*functions_);
  return Error::success();
}
