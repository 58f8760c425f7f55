//===- OptimizedIndices.cpp - Where functions are after optimising --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Optimising moves, merges, inlines and removes functions without reporting it. But it neither
// removes nor moves the report of a function's begin: it is still the first thing in the code of an
// instrumented function. A function that was not instrumented may begin with the report of an
// inlined function; if there are such functions, the name has to agree too. A function may have
// been inlined into the thunk of its references, and may or may not still exist itself.
//
//===----------------------------------------------------------------------===//

#include "OptimizedIndices.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

// The function whose code begins with each id; nothing for an id that several begin with. Keys have
// 64 bits, as the map reserves two values of their type.
static DenseMap<int64_t, std::optional<uint32_t>> findOwners(const wasm::Module &module) {
  DenseMap<int64_t, std::optional<uint32_t>> owners;
  wasm::EntryPoints entries(module);
  if (entries.empty())
    return owners;
  auto addOwners = [&](bool byReference) {
    for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i) {
      if (module.names.function(i).ends_with(wasm::byReferenceSuffix) != byReference)
        continue;
      int32_t id =
          entries.firstId(module.bodies[i - module.importedFunctionCount()], /*atBegin=*/false);
      if (id <= 0)
        continue;
      auto [entry, isNew] = owners.try_emplace(id, i);
      if (!isNew && !byReference)
        entry->second.reset();
    }
  };
  addOwners(/*byReference=*/false);
  addOwners(/*byReference=*/true);
  return owners;
}

// The names that identify an import, in one string.
static std::string keyOf(const wasm::Import &import) {
  return (import.module + Twine('\0') + import.name).str();
}

// Imported functions by their keys; nothing for a key that several have.
static StringMap<std::optional<uint32_t>> findImports(const wasm::Module &module) {
  StringMap<std::optional<uint32_t>> imports;
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i) {
    auto [entry, isNew] = imports.try_emplace(keyOf(module.importOf(i)), i);
    if (!isNew)
      entry->second.reset();
  }
  return imports;
}

void warpo::findOptimizedIndices(const wasm::Module &original, const wasm::Module &optimized,
                                 MutableArrayRef<FunctionReport> functions) {
  DenseMap<int64_t, std::optional<uint32_t>> owners = findOwners(optimized);
  StringMap<std::optional<uint32_t>> before = findImports(original);
  StringMap<std::optional<uint32_t>> after = findImports(optimized);
  bool allHaveIds = llvm::all_of(
      functions, [](const FunctionReport &function) { return function.isImported || function.id; });
  auto ownerOf = [&](const FunctionReport &function, const Twine &name) -> std::optional<uint32_t> {
    std::optional<uint32_t> owner = owners.lookup(function.id);
    if (!owner || allHaveIds)
      return owner;
    StringRef found = optimized.names.function(*owner);
    found.consume_back(wasm::byReferenceSuffix);
    return found == name.str() ? owner : std::nullopt;
  };
  for (FunctionReport &function : functions) {
    function.newIndex.reset();
    function.thunkIndex.reset();
    if (!function.isImported) {
      if (function.id)
        function.newIndex = ownerOf(function, function.name);
      continue;
    }
    std::string key = keyOf(original.importOf(function.index));
    if (before.lookup(key))
      function.newIndex = after.lookup(key);
    if (function.id)
      function.thunkIndex = ownerOf(function, function.name + " (traced)");
  }
}
