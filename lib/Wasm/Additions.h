//===- Additions.h - What an editor adds, and the indices that result -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_ADDITIONS_H
#define WARPO_LIB_WASM_ADDITIONS_H

#include "warpo/Support/ByteWriter.h"
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
  /// Equal ones, whose indices follow each other.
  struct Globals {
    Global each;
    uint32_t count;
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
    CodeMaker code;
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
  /// The number of added functions with code.
  size_t addedFunctions() const { return namedFunctions() + emptyFunctions; }
  size_t namedFunctions() const { return thunks.size() + referenced.size() + functions.size(); }

  explicit Additions(const Module &module);
  /// For an editor that only permutes functions.
  Additions(const Module &module, const FunctionPermutation &permutation);

  /// The index of the plain type `params` -> `results`, which is added if the original does not
  /// have it.
  uint32_t typeIndex(const TypeList &params, const TypeList &results);

  /// The plain function types of the original and the added ones, by their encoding.
  llvm::StringMap<uint32_t> typeIndices;
  uint32_t originalTypeCount;
  /// Null if functions keep their order.
  const FunctionPermutation *permutation = nullptr;
  /// Added types, encoded; each is its own group.
  std::vector<llvm::SmallString<8>> types;
  std::vector<ImportedFunction> imports;
  /// The imported function of each thunk.
  std::vector<uint32_t> thunks;
  /// The imported functions whose thunks do not trace; empty if all do.
  llvm::BitVector untraced;
  /// By imported function: the number of its thunk or `noThunk`, and whether references go to the
  /// thunk.
  std::vector<uint32_t> thunkOf;
  llvm::BitVector redirectsReferences;
  /// The functions whose references go to thunks; by function its number in this list or `noThunk`
  /// (empty if there are none); and the code of the thunks.
  std::vector<uint32_t> referenced;
  std::vector<uint32_t> referenceThunkOf;
  ReferenceEdits referenceEdits;
  /// Set together with these: by table, whether it may hold functions. Tables beyond the end may.
  std::vector<bool> tablesOfFunctions;
  /// Null if there are none. `editedCallers` are the functions whose direct calls are edited too.
  CallSiteEdits callSiteEdits;
  llvm::BitVector editedCallers;
  std::vector<Globals> globals;
  uint32_t globalCount = 0;
  std::optional<Global> lastGlobal;
  std::vector<ExportedGlobal> exportedGlobals;
  std::vector<Function> functions;
  uint32_t emptyFunctions = 0, emptyType = 0;
  std::optional<Memory> memory;
  /// The last one is added; one before it was defined by the module.
  std::vector<ImportedMemory> importedMemories;
  /// The size of the added table; 0: none is added.
  uint32_t tableSize = 0;
  std::optional<RunEdits> runEdits;
  /// Null if there are none.
  CodeEdits codeEdits;
  std::vector<CustomSection> customSections;
  std::vector<CustomSection> replacements;
  std::vector<CustomSection> hints;
  CustomSectionPolicy customSectionPolicy;
  ExceptionForm exceptionForm = ExceptionForm::none;
  /// 0: the number of cores.
  unsigned threads = 0;
  /// The imported functions whose calls are surrounded.
  llvm::BitVector surrounded;
  /// By type of the original: the type of a block with the same results and no parameters, or the
  /// type itself if none is needed.
  std::vector<uint32_t> blockTypes;
};

/// Maps indices of the original to the rewritten module.
class IndexMap {
public:
  IndexMap(const Module &module, const ModuleEditor::Additions &additions)
      : module_(module), additions_(additions), addedImports_(additions.imports.size()) {}

  /// The function itself.
  uint32_t function(uint32_t original) const {
    return module_.isImported(original) ? original : moved(original) + addedImports_;
  }
  uint32_t function(FunctionRef ref) const;
  uint32_t global(GlobalRef ref) const {
    switch (ref.origin) {
    case GlobalRef::original:
      return ref.index;
    case GlobalRef::added:
      return module_.globalCount + ref.index;
    case GlobalRef::last:
      return module_.globalCount + additions_.globalCount;
    }
    return 0;
  }
  /// Writes instructions with new indices. The indices of added variables begin at
  /// `addedLocal`.
  void resolve(const CodeSequence &code, uint32_t addedLocal, ByteWriter &writer) const {
    resolve(code, {{}, code.end()}, addedLocal, writer);
  }
  /// The same for a part of the code. `shift` is added to the indices of the globals that it names.
  void resolve(const CodeSequence &code, const CodeSequence::Range &range, uint32_t addedLocal,
               ByteWriter &writer, uint32_t shift = 0) const;
  /// Whether functions of the original keep their indices wherever they are named.
  bool keepsFunctions() const {
    return !additions_.permutation && addedImports_ == 0 && additions_.thunks.empty() &&
           additions_.referenceThunkOf.empty();
  }
  /// The target of a call of the function, and that of a reference to it.
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
  /// The start function if the original's was this.
  uint32_t start(uint32_t original) const {
    return hasReferenceThunk(original) ? reference(original) : call(original);
  }
  /// The function that an export of this one exports.
  uint32_t exported(uint32_t original) const {
    return module_.isImported(original) ? original : reference(original);
  }
  /// Whether functions are permuted.
  bool movesOriginals() const { return additions_.permutation != nullptr; }
  uint32_t thunk(uint32_t number) const { return module_.functionCount() + addedImports_ + number; }
  /// These come behind all thunks.
  uint32_t referenceThunk(uint32_t number) const {
    return thunk(uint32_t(additions_.thunks.size()) + number);
  }
  /// And these behind all reference thunks.
  uint32_t addedFunction(uint32_t number) const {
    return referenceThunk(uint32_t(additions_.referenced.size()) + number);
  }

private:
  uint32_t indexOf(const CodeSequence::Hole &hole, uint32_t addedLocal) const;
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
