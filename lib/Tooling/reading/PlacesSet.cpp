//===- PlacesSet.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PlacesSet.h"
#include "FunctionIndices.h"
#include "warpo/Source/CodeOfCalls.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Errors.h"
#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Tooling/ToolMain.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "warpo/Wasm/SymbolFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static Error readInstrumented(const wasm::Module &module, PlacesFile &file) {
  const wasm::Section *section = module.findCustomSection(wasm::placesSection);
  if (!section)
    return fileError(module.fileName,
                     "was instrumented without source places: the original module may have them");
  auto places = decodePlaces(section->contents.bytes, module.fileName);
  if (!places)
    return places.takeError();
  file.places = std::move(*places);
  return Error::success();
}

static Error readOriginal(wasm::Module &module, PlacesFile &file) {
  auto places = locateModule({module, file.path, "", ""});
  if (!places)
    return places.takeError();
  if (places->functions.empty())
    return fileError(module.fileName, places->problems.empty()
                                          ? "has no debug information"
                                          : "no source places: " + places->problems.front());
  for (const std::string &problem : places->problems)
    warn(file.path + ": source places: " + problem);
  file.places = std::move(*places);
  file.module = module;
  // The same names as in warpo-instrument.
  wasm::SymbolFile symbols;
  SmallVector<uint8_t, 0> nameSection;
  if (module.names.functions.empty())
    symbols = wasm::findSymbols(module, file.path);
  if (!symbols.functions.empty())
    wasm::replaceNames(module, symbols, nameSection);
  wasm::FunctionNames names(module);
  for (uint32_t index = 0; index != module.functionCount(); ++index)
    file.names.push_back(names[index]);
  return Error::success();
}

Expected<PlacesFile> PlacesFile::read(StringRef path) {
  auto input = readModuleFile(path);
  if (!input)
    return input.takeError();
  std::shared_ptr<const MemoryBuffer> buffer = std::move(*input);
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef(buffer->getBuffer());
  auto module = wasm::readModule(bytes, buffer->getBufferIdentifier());
  if (!module)
    return module.takeError();
  auto instrumented = wasm::readModuleIdentity(bytes, module->fileName);
  if (!instrumented)
    return instrumented.takeError();
  wasm::ModuleIdentity identity =
      *instrumented ? **instrumented : wasm::ModuleIdentity::ofOriginal(bytes);
  PlacesFile file;
  file.path = path.str();
  file.bytes = buffer;
  file.hash = toStringRef(identity.originalHash).str();
  if (*instrumented)
    file.buildId = toStringRef(identity.originalBuildId).str();
  else if (const wasm::Section *section = module->findCustomSection("build_id")) {
    ByteCursor cursor = section->contents.cursor();
    file.buildId = cursor.sizedString().str();
  }
  if (Error error = *instrumented ? readInstrumented(*module, file) : readOriginal(*module, file))
    return error;
  return file;
}

Expected<PlacesSet> PlacesSet::read(ArrayRef<std::string> paths) {
  PlacesSet set;
  for (const std::string &path : paths) {
    auto file = PlacesFile::read(path);
    if (!file)
      return file.takeError();
    set.files_.push_back(std::move(*file));
  }
  return set;
}

const PlacesFile *PlacesSet::of(const RecordedModule &module) const {
  auto found = find_if(files_, [&](const PlacesFile &file) {
    if (!module.hash.empty())
      return file.hash == module.hash;
    if (!module.buildId.empty() && !file.buildId.empty())
      return file.buildId == module.buildId;
    return isOneModule_ && files_.size() == 1;
  });
  return found == files_.end() ? nullptr : &*found;
}

Expected<std::vector<std::string>> PlacesSet::join(ArrayRef<RecordedModule> modules,
                                                   StringRef record) {
  isOneModule_ = modules.size() <= 1;
  std::vector<const PlacesFile *> used;
  std::vector<std::string> known;
  for (const RecordedModule &module : modules) {
    if (const PlacesFile *file = of(module)) {
      used.push_back(file);
      placesOf(module, /*areAll=*/true);
    }
    known.push_back("'" + module.name + "' " +
                    (module.hash.empty() ? "without a hash" : toHex(module.hash, true)));
  }
  std::vector<std::string> unused;
  for (const PlacesFile &file : files_)
    if (!is_contained(used, &file))
      unused.push_back(file.path + ": source places of another module, whose hash is " +
                       toHex(file.hash, true) + "; " + record.str() + " has " +
                       (known.empty() ? "none" : llvm::join(known, ", ")));
  if (used.empty() && !unused.empty())
    return makeError(unused.front());
  return unused;
}

/// Sets the ids of locations by functions' names; false if no name matches.
static bool giveIds(ModulePlaces &places, const PlacesFile &file, const RecordedModule &module) {
  auto indices = FunctionIndices::byName(module, file.names);
  std::vector<int32_t> idOfIndex(file.names.size());
  for (const RecordedModule::Function &function : module.functions)
    if (std::optional<uint32_t> index =
            isIndexed(function) ? indices.of(function.id) : std::nullopt;
        index && *index < file.names.size() && file.names[*index] == module.nameOf(function))
      idOfIndex[*index] = function.id;
  // Ids increase with function indices, unless the names belong to another module.
  int32_t last = 0;
  for (int32_t &id : idOfIndex) {
    if (id <= last)
      id = 0;
    last = std::max(last, id);
  }
  for (FunctionPlaces &function : places.functions)
    function.id = idOfIndex[function.index];
  addCodeOfCalls(places, *file.module, idOfIndex);
  return any_of(places.functions, [](const FunctionPlaces &each) { return each.id != 0; });
}

static std::shared_ptr<const SourcePlaces> placesFor(const PlacesFile &file,
                                                     const RecordedModule &module) {
  ModulePlaces places = file.places;
  if (!file.names.empty() && !giveIds(places, file, module))
    return nullptr;
  EncodedPlaces encoded = encodePlaces(std::move(places));
  auto summary = readPlaces(toStringRef(encoded.bytes));
  if (!summary)
    return consumeError(summary.takeError()), nullptr;
  return std::make_shared<const SourcePlaces>(std::move(*summary));
}

std::shared_ptr<const SourcePlaces> PlacesSet::placesOf(const RecordedModule &module, bool areAll) {
  const PlacesFile *file = of(module);
  if (!file)
    return nullptr;
  auto [entry, isNew] = placed_.try_emplace(module.id);
  Placed &placed = entry->second;
  size_t functions = module.functions.size();
  if (isNew || functions > (areAll ? 1 : 2) * placed.functions)
    placed = {placesFor(*file, module), functions};
  return placed.places;
}
