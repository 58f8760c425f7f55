//===- ModuleEditor.cpp - Declares additions to a module ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/ModuleEditor.h"
#include "Additions.h"
#include "ModuleWriter.h"
#include "References.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static SmallString<8> encodeFunctionType(const TypeList &params, const TypeList &results) {
  SmallVector<uint8_t, 16> encoded;
  ByteWriter writer(encoded);
  writer.u8(0x60);
  for (const TypeList &list : {params, results}) {
    writer.uleb(list.count);
    writer.bytes(list.bytes);
  }
  return toStringRef(encoded);
}

ModuleEditor::Additions::Additions(const Module &module, const FunctionPermutation &permutation)
    : originalTypeCount(uint32_t(module.types.size())), permutation(&permutation),
      thunkOf(module.importedFunctionCount(), noThunk),
      redirectsReferences(module.importedFunctionCount()),
      surrounded(module.importedFunctionCount()) {}

ModuleEditor::Additions::Additions(const Module &module)
    : originalTypeCount(uint32_t(module.types.size())),
      thunkOf(module.importedFunctionCount(), noThunk),
      redirectsReferences(module.importedFunctionCount()),
      surrounded(module.importedFunctionCount()) {
  for (uint32_t i = 0; i != originalTypeCount; ++i) {
    blockTypes.push_back(i);
    const std::optional<FunctionType> &type = module.types[i];
    if (type && type->isPlain)
      typeIndices.try_emplace(encodeFunctionType(type->params, type->results), i);
  }
  // A block with several results needs a type without parameters. Only the code shows whether there
  // will be such a block, and it comes after the types.
  for (uint32_t i = 0; i != module.functionCount(); ++i) {
    const FunctionType &type = module.typeOf(i);
    uint32_t &blockType = blockTypes[module.functionTypes[i]];
    if (type.results.count > 1 && type.params.count && blockType == module.functionTypes[i])
      blockType = typeIndex({}, type.results);
  }
}

uint32_t ModuleEditor::Additions::typeIndex(const TypeList &params, const TypeList &results) {
  SmallString<8> encoded = encodeFunctionType(params, results);
  auto [entry, isNew] =
      typeIndices.try_emplace(encoded, originalTypeCount + uint32_t(types.size()));
  if (isNew)
    types.push_back(encoded);
  return entry->second;
}

uint32_t IndexMap::function(FunctionRef ref) const {
  switch (ref.origin) {
  case FunctionRef::original:
    return function(ref.index);
  case FunctionRef::addedImport:
    return module_.importedFunctionCount() + ref.index;
  case FunctionRef::added:
    return thunk(ref.index);
  case FunctionRef::addedCode:
    return addedFunction(ref.index);
  }
  return 0;
}

ModuleEditor::ModuleEditor(const Module &module)
    : module_(module), additions_(std::make_unique<Additions>(module)) {}

ModuleEditor::ModuleEditor(const Module &module, const FunctionPermutation &permutation)
    : module_(module), additions_(std::make_unique<Additions>(module, permutation)) {}

ModuleEditor::~ModuleEditor() = default;

void EditStatistics::add(const EditStatistics &other) {
  editedFunctions += other.editedFunctions;
  runs += other.runs;
  exits += other.exits;
  catchingFunctions += other.catchingFunctions;
  usesLegacyExceptions |= other.usesLegacyExceptions;
  usesExnref |= other.usesExnref;
  usesTailCalls |= other.usesTailCalls;
  usesReferences |= other.usesReferences;
  usesContinuations |= other.usesContinuations;
  redirectedCalls += other.redirectedCalls;
  redirectedReferences += other.redirectedReferences;
  surroundedCalls += other.surroundedCalls;
  largestBody = std::max(largestBody, other.largestBody);
  llvm::append_range(droppedSections, other.droppedSections);
  llvm::append_range(keptDebugSections, other.keptDebugSections);
  llvm::append_range(replacedHints, other.replacedHints);
}

static TypeList asList(ArrayRef<ValueType> types) {
  return {ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(types.data()), types.size()),
          uint32_t(types.size())};
}

FunctionRef ModuleEditor::importFunction(StringRef module, StringRef name,
                                         ArrayRef<ValueType> params, ArrayRef<ValueType> results) {
  uint32_t type = additions_->typeIndex(asList(params), asList(results));
  std::vector<Additions::ImportedFunction> &imports = additions_->imports;
  for (size_t i = 0; i != imports.size(); ++i)
    if (imports[i].module == module && imports[i].name == name && imports[i].type == type)
      return {FunctionRef::addedImport, uint32_t(i)};
  imports.push_back({module.str(), name.str(), type});
  return {FunctionRef::addedImport, uint32_t(imports.size() - 1)};
}

GlobalRef ModuleEditor::addGlobal(ValueType type, bool isMutable, int64_t initialValue) {
  return addGlobals(1, type, isMutable, initialValue);
}

GlobalRef ModuleEditor::addGlobals(uint32_t count, ValueType type, bool isMutable,
                                   int64_t initialValue) {
  uint32_t first = additions_->globalCount;
  additions_->globals.push_back({{type, isMutable, initialValue}, count});
  additions_->globalCount += count;
  return {GlobalRef::added, first};
}

GlobalRef ModuleEditor::addLastGlobal(ValueType type, bool isMutable, int64_t initialValue) {
  additions_->lastGlobal = {type, isMutable, initialValue};
  return {GlobalRef::last, 0};
}

Error ModuleEditor::checkExport(StringRef name) const {
  auto isNamed = [&](const auto &entry) { return entry.name == name; };
  auto isExported = [&](const Additions::Function &function) {
    return function.isExported && function.name == name;
  };
  if (any_of(module_.exports, isNamed) || any_of(additions_->exportedGlobals, isNamed) ||
      any_of(additions_->functions, isExported))
    return fileError(module_.fileName, "has an export '" + name + "' already");
  return Error::success();
}

Error ModuleEditor::exportGlobal(StringRef name, GlobalRef global) {
  if (Error error = checkExport(name))
    return error;
  additions_->exportedGlobals.push_back({name.str(), global});
  return Error::success();
}

Expected<FunctionRef> ModuleEditor::addExportedFunction(StringRef name, ArrayRef<ValueType> params,
                                                        ArrayRef<ValueType> results,
                                                        CodeSequence code) {
  if (Error error = checkExport(name))
    return error;
  FunctionRef function = addFunction(name, params, results, std::move(code));
  additions_->functions.back().isExported = true;
  return function;
}

FunctionRef ModuleEditor::addFunction(StringRef name, ArrayRef<ValueType> params,
                                      ArrayRef<ValueType> results, CodeSequence code) {
  return addFunction(name, params, results,
                     [code = std::move(code)](CodeSequence &out) { out.append(code); });
}

FunctionRef ModuleEditor::addFunction(StringRef name, ArrayRef<ValueType> params,
                                      ArrayRef<ValueType> results, CodeMaker code) {
  uint32_t type = additions_->typeIndex(asList(params), asList(results));
  uint32_t number = uint32_t(additions_->functions.size());
  additions_->functions.push_back({name.str(), type, std::move(code), /*isExported=*/false});
  return {FunctionRef::addedCode, number};
}

void ModuleEditor::addEmptyFunctions(uint32_t count) {
  if (count == 0)
    return;
  additions_->emptyFunctions += count;
  additions_->emptyType = additions_->typeIndex({}, {});
}

Expected<uint32_t> ModuleEditor::addMemory(StringRef exportName, uint64_t size,
                                           ArrayRef<uint8_t> contents) {
  static constexpr uint64_t pageSize = 65536;
  if (Error error = checkExport(exportName))
    return error;
  if (additions_->memory || !additions_->importedMemories.empty())
    return fileError(module_.fileName,
                     "cannot get both memories '" +
                         (additions_->memory ? additions_->memory->exportName
                                             : additions_->importedMemories.back().name) +
                         "' and '" + exportName + "': one of them has to do without");
  additions_->memory = {exportName.str(), divideCeil(size, pageSize),
                        SmallVector<uint8_t, 0>(contents.begin(), contents.end())};
  return module_.memoryCount;
}

// The name of an import with the type of a memory, which is flags and one or two limits.
static Expected<std::string> nameOfMemory(const Module &module, ByteCursor cursor) {
  enum : uint8_t { hasMaximum = 1, shared = 2, address64 = 4, known = 7 };
  uint8_t flags = cursor.u8();
  if (flags & ~known)
    return fileError(module.fileName, "its memory has pages of an unusual size");
  std::string name = "memory " + utostr(cursor.uleb64());
  if (flags & hasMaximum) {
    // The limit of JavaScript, for 32-bit and 64-bit addresses.
    constexpr uint64_t most = 262'144;
    uint64_t maximum = cursor.uleb64();
    if (maximum > most)
      return fileError(module.fileName, "its memory may have " + Twine(maximum) +
                                            " pages, and JavaScript makes memories of up to " +
                                            Twine(most));
    name += " " + utostr(maximum);
  }
  if (flags & shared)
    name += " shared";
  if (flags & address64)
    name += " i64";
  if (Error error = cursor.takeError(module.fileName))
    return error;
  return name;
}

Expected<uint32_t> ModuleEditor::importMemory(StringRef module, StringRef name) {
  // Flags, at least one page, at most 65,536.
  static constexpr uint8_t shared[] = {3, 1, 0x80, 0x80, 4};
  if (additions_->memory)
    return fileError(module_.fileName, "cannot get both memories '" +
                                           additions_->memory->exportName + "' and '" + name +
                                           "': one of them has to do without");
  for (const Section &section : module_.sections) {
    if (section.id != SectionId::memory)
      continue;
    ByteCursor cursor = section.contents.cursor();
    uint32_t count = readCount(cursor);
    if (count > 1)
      return fileError(module_.fileName, "it defines " + Twine(count) +
                                             " memories, of which one would have to be imported");
    if (count == 0)
      continue;
    ArrayRef<uint8_t> type(cursor.position(), section.contents.bytes.end());
    auto own = nameOfMemory(module_, cursor);
    if (!own)
      return own.takeError();
    additions_->importedMemories.push_back({module.str(), *own, {type.begin(), type.end()}});
  }
  additions_->importedMemories.push_back(
      {module.str(), name.str(), {std::begin(shared), std::end(shared)}});
  return module_.memoryCount;
}

uint32_t ModuleEditor::addTable(uint32_t size) {
  additions_->tableSize = size;
  uint32_t count = uint32_t(count_if(
      module_.imports, [](const Import &import) { return import.kind == ExternalKind::table; }));
  for (const Section &section : module_.sections)
    if (section.id == SectionId::table) {
      ByteCursor cursor = section.contents.cursor();
      count += readCount(cursor);
    }
  return count;
}

void ModuleEditor::editRuns(const FuelCosts &costs, RunEdit edit) {
  additions_->runEdits = {costs, std::move(edit)};
}

void ModuleEditor::editCode(CodeEdits edits) { additions_->codeEdits = std::move(edits); }

FunctionRef ModuleEditor::addThunk(uint32_t importedFunction, bool references, bool traces) {
  uint32_t number = uint32_t(additions_->thunks.size());
  additions_->thunks.push_back(importedFunction);
  if (!traces) {
    additions_->untraced.resize(module_.importedFunctionCount());
    additions_->untraced.set(importedFunction);
  }
  additions_->thunkOf[importedFunction] = number;
  additions_->redirectsReferences[importedFunction] = references;
  return {FunctionRef::added, number};
}

void ModuleEditor::redirectReferences(ArrayRef<uint32_t> functions, ReferenceEdits edits) {
  additions_->referenced.assign(functions.begin(), functions.end());
  additions_->referenceThunkOf.assign(module_.functionCount(), Additions::noThunk);
  for (auto [number, function] : enumerate(functions))
    additions_->referenceThunkOf[function] = uint32_t(number);
  additions_->referenceEdits = std::move(edits);
  additions_->tablesOfFunctions = tablesOfFunctions(module_);
}

void ModuleEditor::editCallSites(const BitVector &callers, CallSiteEdits edits) {
  additions_->editedCallers = callers;
  additions_->callSiteEdits = std::move(edits);
}

void ModuleEditor::catchExceptions(ExceptionForm form) { additions_->exceptionForm = form; }

void ModuleEditor::surround(uint32_t importedFunction) {
  additions_->surrounded.set(importedFunction);
}

void ModuleEditor::addCustomSection(StringRef name, ArrayRef<uint8_t> contents) {
  additions_->customSections.push_back(
      {name.str(), SmallVector<uint8_t, 0>(contents.begin(), contents.end())});
}

void ModuleEditor::addHints(StringRef name, ArrayRef<uint8_t> contents) {
  additions_->hints.push_back(
      {name.str(), SmallVector<uint8_t, 0>(contents.begin(), contents.end())});
}

void ModuleEditor::setThreads(unsigned count) { additions_->threads = count; }

void ModuleEditor::setPolicy(const CustomSectionPolicy &policy) {
  additions_->customSectionPolicy = policy;
}

void ModuleEditor::replaceCustomSection(StringRef name, ArrayRef<uint8_t> contents) {
  additions_->replacements.push_back(
      {name.str(), SmallVector<uint8_t, 0>(contents.begin(), contents.end())});
}

uint32_t ModuleEditor::finalIndex(FunctionRef function) const {
  return IndexMap(module_, *additions_).function(function);
}

Expected<EditStatistics> ModuleEditor::write(function_ref<void(uint32_t, FunctionEdit &)> edit,
                                             SmallVectorImpl<uint8_t> &out,
                                             CodeMovements *movements) const {
  CodeMovements own;
  if (movements)
    movements->requestAll();
  return ModuleWriter(module_, *additions_, movements ? *movements : own, edit, out).write();
}
