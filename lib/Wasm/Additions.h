//===- Additions.h - What an editor adds, and the indices that result -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_ADDITIONS_H
#define WARPO_LIB_WASM_ADDITIONS_H

#include "warpo/Wasm/FunctionPermutation.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace warpo::wasm {

struct ModuleEditor::Additions {
  struct ImportedFunction {
    std::string module;
    std::string name;
    uint32_t type;
  };
  struct Global {
    ValueType type;
    bool isMutable;
    int64_t value;
  };
  struct CustomSection {
    std::string name;
    llvm::SmallVector<uint8_t, 0> contents;
  };
  struct ExportedGlobal {
    std::string name;
    GlobalRef global;
  };
  struct Function {
    std::string name;
    uint32_t type;
    CodeSequence code;
    bool isExported;
  };
  struct Memory {
    std::string exportName;
    uint64_t pages;
    llvm::SmallVector<uint8_t, 0> contents;
  };
  struct ImportedMemory {
    std::string module;
    std::string name;
    llvm::SmallVector<uint8_t, 8> type;
  };
  struct RunEdits {
    FuelCosts costs;
    RunEdit edit;
  };
  static constexpr uint32_t noThunk = UINT32_MAX;
  /// Functions with code that come behind the original's.
  size_t addedFunctions() const { return thunks.size() + referenced.size() + functions.size(); }

  explicit Additions(const Module &module);
  /// For an editor that inserts no code.
  Additions(const Module &module, const FunctionPermutation &permutation);

  /// The plain type `params` -> `results`: one of the original, or one that is added.
  uint32_t typeIndex(const TypeList &params, const TypeList &results);

  /// By encoding: the plain function types of the original, and those that are added.
  llvm::StringMap<uint32_t> typeIndices;
  uint32_t originalTypeCount;
  /// Null if functions keep their order.
  const FunctionPermutation *permutation = nullptr;
  /// What is added, encoded; each a group of its own.
  std::vector<llvm::SmallString<8>> types;
  std::vector<ImportedFunction> imports;
  /// The imported function of each thunk.
  std::vector<uint32_t> thunks;
  /// By imported function whether its thunk does not trace it; empty if all do.
  llvm::BitVector untraced;
  /// By imported function: the number of its thunk or `noThunk`, and whether references go there.
  std::vector<uint32_t> thunkOf;
  llvm::BitVector redirectsReferences;
  /// The functions whose references go to others, and by function the number in this list or
  /// `noThunk`; empty if there are none. What those others do.
  std::vector<uint32_t> referenced;
  std::vector<uint32_t> referenceThunkOf;
  ReferenceEdits referenceEdits;
  /// With these, by table whether it may hold functions; all others may.
  std::vector<bool> tablesOfFunctions;
  /// Null if there are none; the functions whose calls by name are edited too.
  CallSiteEdits callSiteEdits;
  llvm::BitVector editedCallers;
  std::vector<Global> globals;
  std::optional<Global> lastGlobal;
  std::vector<ExportedGlobal> exportedGlobals;
  std::vector<Function> functions;
  std::optional<Memory> memory;
  /// The last one is added; that before it was the module's own.
  std::vector<ImportedMemory> importedMemories;
  /// Of the table that is added; 0: none is.
  uint32_t tableSize = 0;
  std::optional<RunEdits> runEdits;
  /// Null if there are none.
  CodeEdits codeEdits;
  std::vector<CustomSection> customSections;
  std::vector<CustomSection> replacements;
  std::vector<CustomSection> hints;
  CustomSectionPolicy customSectionPolicy;
  ExceptionForm exceptionForm = ExceptionForm::none;
  /// 0: as many as there are cores.
  unsigned threads = 0;
  /// By imported function whether its calls are surrounded.
  llvm::BitVector surrounded;
  /// For each type of the original that needs one: the type of a block with its results. Otherwise
  /// the type itself.
  std::vector<uint32_t> blockTypes;
};

/// From the indices of the original to those of the rewritten module.
class IndexMap {
public:
  IndexMap(const Module &module, const ModuleEditor::Additions &additions)
      : module_(module), additions_(additions), addedImports_(additions.imports.size()) {}

  /// The function itself.
  uint32_t function(uint32_t original) const {
    return module_.isImported(original) ? original : moved(original) + addedImports_;
  }
  uint32_t function(FunctionRef ref) const;
  uint32_t global(GlobalRef ref) const;
  /// Instructions with these indices, appended to `out`.
  void resolve(const CodeSequence &code, uint32_t addedLocal,
               llvm::SmallVectorImpl<uint8_t> &out) const {
    code.resolve([this](FunctionRef ref) { return function(ref); },
                 [this](GlobalRef ref) { return global(ref); }, addedLocal, out);
  }
  /// What a call, or a reference, of the function goes to.
  uint32_t call(uint32_t original) const {
    if (!module_.isImported(original))
      return moved(original) + addedImports_;
    uint32_t number = additions_.thunkOf[original];
    return number == ModuleEditor::Additions::noThunk ? original : thunk(number);
  }
  uint32_t reference(uint32_t original) const {
    if (hasReferenceThunk(original))
      return referenceThunk(additions_.referenceThunkOf[original]);
    return module_.isImported(original) && !additions_.redirectsReferences[original]
               ? original
               : call(original);
  }
  /// What runs at the start if the function is to.
  uint32_t start(uint32_t original) const {
    return hasReferenceThunk(original) ? reference(original) : call(original);
  }
  /// What an export of the function gives.
  uint32_t exported(uint32_t original) const {
    return module_.isImported(original) ? original : reference(original);
  }
  /// Whether the original's functions come in another order.
  bool movesOriginals() const { return additions_.permutation != nullptr; }
  uint32_t thunk(uint32_t number) const { return module_.functionCount() + addedImports_ + number; }
  /// Behind all thunks.
  uint32_t referenceThunk(uint32_t number) const {
    return thunk(uint32_t(additions_.thunks.size()) + number);
  }
  /// Behind those.
  uint32_t addedFunction(uint32_t number) const {
    return referenceThunk(uint32_t(additions_.referenced.size()) + number);
  }

private:
  bool hasReferenceThunk(uint32_t original) const {
    return !additions_.referenceThunkOf.empty() &&
           additions_.referenceThunkOf[original] != ModuleEditor::Additions::noThunk;
  }
  uint32_t moved(uint32_t original) const {
    return additions_.permutation ? additions_.permutation->newIndex(original) : original;
  }

  const Module &module_;
  const ModuleEditor::Additions &additions_;
  uint32_t addedImports_;
};

} // namespace warpo::wasm

#endif
