//===- CodeRewriter.h - Copies code with new indices and insertions -------===//

#ifndef WARPO_LIB_WASM_CODEREWRITER_H
#define WARPO_LIB_WASM_CODEREWRITER_H

#include "Additions.h"
#include "CodeMetadata.h"
#include "Copier.h"
#include "RunInserter.h"
#include "warpo/Wasm/CodeWalker.h"

namespace warpo::wasm {

/// Whether an instruction makes a reference to a function.
bool isReference(const Instruction &instruction);

/// Writes code into one buffer. Several may write bodies at the same time, of different functions
/// and into different buffers.
class CodeRewriter {
public:
  /// `addedLabels` has an entry for each function of the original: it learns how many blocks
  /// rewriteBody() puts around its body.
  CodeRewriter(const Module &module, const ModuleEditor::Additions &additions,
               const IndexMap &indices, llvm::function_ref<void(uint32_t, FunctionEdit &)> edit,
               CodeMovements &movements, llvm::MutableArrayRef<uint8_t> addedLabels,
               ByteWriter &writer, EditStatistics &statistics)
      : module_(module), additions_(additions), indices_(indices), edit_(edit),
        movements_(movements), addedLabels_(addedLabels), writer_(writer), statistics_(statistics) {
    if (additions.runEdits)
      runs_.emplace(*additions.runEdits, indices);
  }

  /// Passes over a constant expression and patches it; copying the rest is up to the caller.
  void patchExpression(ByteCursor &cursor, Copier &copier);
  /// Reads the index of a function and puts in that of what references to it, or calls of it, go
  /// to.
  void patchReference(ByteCursor &cursor, Copier &copier);
  void patchCall(ByteCursor &cursor, Copier &copier);

  /// Writes the body of a defined function, with its size.
  llvm::Error rewriteBody(uint32_t function);
  /// Writes the body of an imported function's thunk, with its size.
  void writeThunk(uint32_t importedFunction);
  /// Writes the body of the function to which references of `function` go.
  void writeReferenceThunk(uint32_t function, bool tailCalls);

private:
  void patchInstruction(ByteCursor &cursor, const Instruction &instruction, Copier &copier);
  void patchIndex(ByteCursor &cursor, const uint8_t *begin, const uint8_t *end, uint32_t old,
                  bool reference, Copier &copier);
  bool isSurrounded(const Instruction &instruction) const;
  void surroundCall(ByteCursor &cursor, const Instruction &instruction, Copier &copier);
  uint32_t countLocals(uint32_t function) const;
  void prepareEdit(uint32_t function);
  void writeLocals(ByteCursor &cursor, Copier &copier);
  void passArguments(uint32_t function);
  const uint8_t *beginRuns(const ByteCursor &code);
  void insertRun(const Instruction &first, Copier &copier);
  void resolve(const CodeSequence &code, uint32_t addedLocal,
               llvm::SmallVectorImpl<uint8_t> &out) const;
  void noteExceptions(uint8_t traits);
  void writeBlockHead(uint8_t opcode, uint32_t type, ByteWriter &writer) const;
  uint8_t writeWrapperHead(bool catches, uint32_t type, ByteWriter &writer) const;
  void writeWrapperEnd(bool catches);

  const Module &module_;
  const ModuleEditor::Additions &additions_;
  const IndexMap &indices_;
  llvm::function_ref<void(uint32_t, FunctionEdit &)> edit_;
  CodeMovements &movements_;
  llvm::MutableArrayRef<uint8_t> addedLabels_;
  ByteWriter &writer_;
  EditStatistics &statistics_;
  std::optional<RunInserter> runs_;
  // Buffers that every body uses again.
  FunctionEdit functionEdit_;
  llvm::SmallVector<uint8_t, 64> entry_;
  llvm::SmallVector<uint8_t, 64> exit_;
  llvm::SmallVector<uint8_t, 64> around_;
};

} // namespace warpo::wasm

#endif
