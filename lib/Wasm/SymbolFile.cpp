//===- SymbolFile.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/SymbolFile.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/SymbolLine.h"
#include "warpo/Wasm/CompanionFile.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "warpo/Wasm/SourceMapFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

/// About the limit of engines: a stray index must not exhaust memory.
static constexpr uint32_t maxFunctions = 1 << 20;
static constexpr StringLiteral companionSection = "external_debug_info";

static bool isModule(StringRef bytes) { return bytes.starts_with(StringRef("\0asm", 4)); }
/// Recognises a source map by its begin, which may be the line that keeps browsers from running it
/// as a script.
static bool isSourceMap(StringRef text) {
  return text.starts_with(")]}") || text.ltrim().starts_with("{");
}

static bool hasNames(const SymbolFile &file) {
  return any_of(file.functions, [](StringRef name) { return !name.empty(); });
}

static Error readLines(StringRef text, SymbolFile &file) {
  for (uint64_t number = 1; !text.empty(); ++number) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line.consume_back("\r");
    if (line.empty())
      continue;
    auto symbol = parseSymbolLine(line);
    if (!symbol)
      return lineError(file.path, number,
                       "neither a module nor a list of symbols, with lines of the form index:name");
    if (symbol->index >= maxFunctions)
      return lineError(file.path, number,
                       "function " + Twine(symbol->index) + ", more than " + Twine(maxFunctions) +
                           " a module does not have");
    if (symbol->index >= file.functions.size())
      file.functions.resize(symbol->index + 1);
    file.functions[symbol->index] = std::move(symbol->name);
  }
  return Error::success();
}

static std::string buildIdOf(ArrayRef<uint8_t> bytes, StringRef path) {
  std::string id;
  // A damaged build id is ignored.
  consumeError(readCustomSections(bytes, path, "build_id",
                                  [&](ByteCursor &cursor) { id = cursor.sizedString().str(); }));
  return id;
}

/// For a module that cannot be read, or that has nothing but a name section.
static Error readNameSectionAlone(ArrayRef<uint8_t> bytes, SymbolFile &file) {
  return readCustomSections(bytes, file.path, "name", [&](ByteCursor &cursor) {
    Names names = readNameSection(cursor, maxFunctions);
    if (!cursor.ok())
      return;
    file.moduleName = names.module.str();
    for (StringRef name : names.functions)
      file.functions.push_back(name.str());
  });
}

/// A function gets the name of the first entry with a name in its code.
static Error readMap(const SourceMap &map, const Module &module, SymbolFile &file) {
  ArrayRef<std::string> names = map.names();
  file.functions.resize(module.functionCount());
  return forEachEntry(map, module, [&](const SourceMapEntry &entry, size_t body) {
    bool isWithin = entry.offset - module.bodies[body].offset < module.bodies[body].bytes.size();
    std::string &name = file.functions[module.importedFunctionCount() + body];
    if (isWithin && name.empty() && entry.name && *entry.name < names.size())
      name = names[*entry.name];
  });
}

/// Adds the names in the module itself, including those of imports and exports.
static void addOwnNames(const Module &module, SymbolFile &file) {
  FunctionNames names(module);
  file.functions.resize(module.functionCount());
  for (auto [index, name] : enumerate(file.functions))
    if (name.empty())
      name = names.given(uint32_t(index));
}

static Expected<std::optional<SourceMap>> mapBeside(const Module &module, StringRef path) {
  auto named = loadNamedSourceMap(module.bytes, path);
  if (!named || *named)
    return named;
  std::string beside = (path + ".map").str();
  if (!sys::fs::exists(beside))
    return std::nullopt;
  auto map = loadSourceMap(beside);
  if (!map)
    return map.takeError();
  return std::optional<SourceMap>(std::move(*map));
}

static Error readModuleNames(ArrayRef<uint8_t> bytes, const SourceMap *given, SymbolFile &file) {
  ModuleIdentity identity = ModuleIdentity::ofOriginal(bytes);
  file.hash = toStringRef(identity.originalHash).str();
  file.buildId = buildIdOf(bytes, file.path);
  auto module = readModule(bytes, file.path);
  if (!module || !module->damagedNames.empty()) {
    consumeError(module.takeError());
    return readNameSectionAlone(bytes, file);
  }
  if (module->findCustomSection(moduleIdentitySection))
    return fileError(
        file.path, "an instrumented module, whose functions have other indices: give the original");
  file.moduleName = module->names.module.str();
  if (given) {
    if (Error error = readMap(*given, *module, file))
      return error;
  } else if (module->names.functions.empty()) {
    auto map = mapBeside(*module, file.path);
    if (!map)
      return map.takeError();
    if (*map)
      if (Error error = readMap(**map, *module, file))
        return error;
  }
  addOwnNames(*module, file);
  return Error::success();
}

static Error readMapWithModule(StringRef text, SymbolFile &file) {
  auto map = SourceMap::parse(text, file.path);
  if (!map)
    return map.takeError();
  StringRef modulePath = file.path;
  if (!modulePath.consume_back(".map") || !sys::fs::exists(modulePath))
    return fileError(file.path, "a source map only says which code has which name: the module has "
                                "to be beside it, as app.wasm beside app.wasm.map");
  auto buffer = readWholeInput(modulePath);
  if (!buffer)
    return buffer.takeError();
  SymbolFile ofModule;
  ofModule.path = modulePath.str();
  if (Error error = readModuleNames(arrayRefFromStringRef((*buffer)->getBuffer()), &*map, ofModule))
    return error;
  ofModule.path = std::move(file.path);
  file = std::move(ofModule);
  return Error::success();
}

static Error checkSameModule(const SymbolFile &file, const Module &module) {
  std::string buildId = buildIdOf(module.bytes, module.fileName);
  if (!file.buildId.empty() && !buildId.empty() && file.buildId != buildId)
    return fileError(file.path, "names of another build: its build id is " +
                                    toHex(file.buildId, true) + ", that of " + module.fileName +
                                    " is " + toHex(buildId, true));
  if (file.functions.size() > module.functionCount())
    return fileError(file.path, "names of another module: of " + Twine(file.functions.size()) +
                                    " functions, and " + module.fileName + " has " +
                                    Twine(module.functionCount()));
  return Error::success();
}

static Error readText(StringRef text, const Module *module, SymbolFile &file) {
  if (isModule(text))
    return readModuleNames(arrayRefFromStringRef(text), nullptr, file);
  if (!isSourceMap(text))
    return readLines(text, file);
  if (!module)
    return readMapWithModule(text, file);
  auto map = SourceMap::parse(text, file.path);
  return map ? readMap(*map, *module, file) : map.takeError();
}

static Expected<SymbolFile> readFile(StringRef path, const Module *module) {
  auto buffer = readWholeInput(path);
  if (!buffer)
    return buffer.takeError();
  SymbolFile file;
  file.path = (*buffer)->getBufferIdentifier().str();
  if (Error error = readText((*buffer)->getBuffer(), module, file))
    return error;
  if (!hasNames(file))
    return fileError(file.path, "has no names of functions");
  if (module)
    if (Error error = checkSameModule(file, *module))
      return error;
  return file;
}

Expected<SymbolFile> wasm::readSymbolFile(StringRef path) { return readFile(path, nullptr); }

Expected<SymbolFile> wasm::readSymbolFile(StringRef path, const Module &module) {
  return readFile(path, &module);
}

SymbolFile wasm::findSymbols(const Module &module, StringRef moduleFile) {
  std::vector<std::string> companions;
  if (const Section *section = module.findCustomSection(companionSection)) {
    ByteCursor cursor = section->contents.cursor();
    StringRef url = cursor.sizedString();
    if (auto path = findBeside(moduleFile, url, "its debug information", "--symbols"))
      companions.push_back(std::move(*path));
    else
      consumeError(path.takeError());
  }
  for (std::string &path : debugFilesBeside(moduleFile)) {
    auto buffer = readWholeInput(path);
    if (!buffer)
      consumeError(buffer.takeError());
    else if (!hasOtherCode(arrayRefFromStringRef((*buffer)->getBuffer()), module))
      companions.push_back(std::move(path));
  }
  for (const std::string &path : companions) {
    auto file = readSymbolFile(path, module);
    if (file)
      return std::move(*file);
    consumeError(file.takeError());
  }
  SymbolFile file;
  auto map = loadNamedSourceMap(module.bytes, moduleFile);
  if (!map) {
    consumeError(map.takeError());
  } else if (*map) {
    file.path = (*map)->fileName().str();
    if (Error error = readMap(**map, module, file)) {
      consumeError(std::move(error));
      file.functions.clear();
    }
  }
  return file;
}

/// Copies the other names of a section: those of kinds before, or behind, that of functions.
static void copyOtherNames(const Section *old, bool before, ByteWriter &writer) {
  if (!old)
    return;
  ByteCursor cursor = old->contents.cursor();
  while (cursor.ok() && !cursor.atEnd()) {
    uint8_t kind = cursor.u8();
    ArrayRef<uint8_t> contents = cursor.bytes(cursor.uleb32());
    bool isBefore = kind < uint8_t(NameKind::functions);
    if (!cursor.ok() || kind == uint8_t(NameKind::functions) || isBefore != before)
      continue;
    writer.u8(kind);
    writer.uleb(contents.size());
    writer.bytes(contents);
  }
}

void wasm::replaceNames(Module &module, const SymbolFile &symbols,
                        SmallVectorImpl<uint8_t> &section) {
  std::vector<std::pair<uint32_t, StringRef>> names;
  Names all;
  all.module = module.names.module;
  all.functions.resize(module.functionCount());
  for (auto [index, name] : enumerate(all.functions)) {
    StringRef given = symbols.function(uint32_t(index));
    name = given.empty() ? module.names.function(uint32_t(index)) : given;
    if (!name.empty())
      names.push_back({uint32_t(index), name});
  }
  const Section *old = module.damagedNames.empty() ? module.findCustomSection("name") : nullptr;
  ByteWriter writer(section);
  copyOtherNames(old, /*before=*/true, writer);
  writer.u8(uint8_t(NameKind::functions));
  ByteWriter::Part part = writer.beginPart(0);
  writer.uleb(names.size());
  for (auto [index, name] : names) {
    writer.uleb(index);
    writer.name(name);
  }
  writer.endPart(part);
  copyOtherNames(old, /*before=*/false, writer);

  erase_if(module.sections,
           [](const Section &each) { return each.id == SectionId::custom && each.name == "name"; });
  Section added;
  added.name = "name";
  added.contents.bytes = section;
  added.whole.bytes = section;
  module.sections.push_back(added);
  module.names = std::move(all);
  module.damagedNames.clear();
}
