//===- ModuleWriter.h - Copies a module section by section ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_MODULEWRITER_H
#define WARPO_LIB_WASM_MODULEWRITER_H

#include "CodeRewriter.h"

namespace warpo::wasm {

class ModuleWriter {
public:
  ModuleWriter(const Module &module, const ModuleEditor::Additions &additions,
               CodeMovements &movements, llvm::function_ref<void(uint32_t, FunctionEdit &)> edit,
               llvm::SmallVectorImpl<uint8_t> &out)
      : module_(module), additions_(additions), edit_(edit), indices_(module, additions), out_(out),
        writer_(out), movements_(movements), replacementWritten_(additions.replacements.size()),
        makesTailCalls_(additions.referenced.empty() ? 0 : module.functionCount()),
        code_(module, additions, indices_, edit, movements_, makesTailCalls_, writer_,
              statistics_) {}

  llvm::Expected<EditStatistics> write();

private:
  llvm::Error findUndeclared();
  bool isNeeded(SectionId id) const;
  bool hasNewHints(llvm::StringRef name) const;
  llvm::Error writeMissing(unsigned fromRank, unsigned toRank);
  llvm::Error writeStandard(SectionId id, const ByteRange &contents);
  llvm::Error writeCustom(const Section &section);
  void writeAdded(const ModuleEditor::Additions::CustomSection &section);
  llvm::SmallVector<llvm::StringRef, 5> addedFeatures() const;
  llvm::Error writeNames(const Section &section);
  llvm::Error writeFeatures(const Section &section);
  llvm::Error requestMovements();
  llvm::Error insertCodeMetadata();
  llvm::Error endSection(const ByteWriter::Part &part, const llvm::Twine &what);

  // Each of these writes the contents of one section.
  void writeTypes(ByteCursor &cursor, Copier &copier);
  void writeImports(ByteCursor &cursor, Copier &copier);
  void writeFunctions(ByteCursor &cursor, Copier &copier);
  void writeTables(ByteCursor &cursor, Copier &copier);
  void writeGlobals(const ModuleEditor::Additions::Global &global, uint32_t count);
  void writeMemories(ByteCursor &cursor, Copier &copier);
  void writeGlobals(ByteCursor &cursor, Copier &copier);
  void writeExports(ByteCursor &cursor, Copier &copier);
  void writeStart(ByteCursor &cursor, Copier &copier);
  void writeElements(ByteCursor &cursor, Copier &copier);
  void writeDataCount(ByteCursor &cursor, Copier &copier);
  void writeData(ByteCursor &cursor, Copier &copier);
  /// `contents`: where the contents of the section begin in the output.
  llvm::Error writeCode(size_t contents);
  llvm::Error writeBodies(uint32_t begin, uint32_t end, CodeRewriter &code) const;
  llvm::Error writeBodiesInParallel(size_t threads, llvm::ArrayRef<uint64_t> sizes,
                                    size_t contents);

  /// A size that the output hardly ever exceeds. Reserved memory costs nothing until its page is
  /// written; growing would copy the output.
  static size_t likelySize(uint64_t bytes, uint64_t functions) {
    return size_t(bytes * 2 + functions * 64);
  }
  /// The function whose body is the `i`-th of the output.
  uint32_t functionAt(uint32_t i) const {
    uint32_t place = module_.importedFunctionCount() + i;
    return additions_.permutation ? additions_.permutation->oldIndex(place) : place;
  }
  uint32_t beginList(ByteCursor &cursor, Copier &copier, size_t added);

  const Module &module_;
  const ModuleEditor::Additions &additions_;
  llvm::function_ref<void(uint32_t, FunctionEdit &)> edit_;
  IndexMap indices_;
  llvm::SmallVectorImpl<uint8_t> &out_;
  ByteWriter writer_;
  EditStatistics statistics_;
  CodeMovements &movements_;
  /// Which replacements have been written.
  std::vector<bool> replacementWritten_;
  /// By function of the original: whether its code has tail calls; empty if not requested. Bytes,
  /// as several threads write them.
  std::vector<uint8_t> makesTailCalls_;
  CodeRewriter code_;
  /// A section of hints, and its place in the output.
  struct Hints {
    llvm::StringRef name;
    ByteRange contents;
    size_t place;
  };
  std::vector<Hints> codeMetadata_;
  /// Whether the module has names of labels, and inserted code may change their numbers.
  bool hasLabelNames_ = false;
  /// The place of the code section in the output, once it is written.
  std::optional<size_t> codeBegin_;
  /// Functions that only code still refers to.
  std::vector<uint32_t> undeclared_;
};

} // namespace warpo::wasm

#endif
