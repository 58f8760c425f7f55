//===- CodeRewriter.h - Copies code with new indices and insertions -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_CODEREWRITER_H
#define WARPO_LIB_WASM_CODEREWRITER_H

#include "Additions.h"
#include "CodeInserter.h"
#include "CodeMetadata.h"
#include "Copier.h"
#include "warpo/Wasm/CodeWalker.h"
#include <array>

namespace warpo::wasm {

/// Whether an instruction creates a reference to a function.
bool isReference(const Instruction &instruction);

/// Writes code into one buffer. Several instances may write bodies of different functions into
/// different buffers at the same time.
class CodeRewriter {
public:
  /// `makesTailCalls`, if not empty, has an entry for each function of the original. rewriteBody()
  /// sets it: whether the body has tail calls.
  CodeRewriter(const Module &module, const ModuleEditor::Additions &additions,
               const IndexMap &indices, llvm::function_ref<void(uint32_t, FunctionEdit &)> edit,
               const CodeMovements &movements, llvm::MutableArrayRef<uint8_t> makesTailCalls,
               ByteWriter &writer, EditStatistics &statistics)
      : module_(module), additions_(additions), indices_(indices), edit_(edit),
        movements_(movements), makesTailCalls_(makesTailCalls), writer_(writer),
        statistics_(statistics) {
    if (additions.runEdits || additions.codeEdits)
      inserter_.emplace(additions, indices, statistics);
  }

  /// Skips a constant expression and patches it; the caller copies the rest.
  void patchExpression(ByteCursor &cursor, Copier &copier);
  /// Reads the index of a function and replaces it: by the target of references, or by the new
  /// start function.
  void patchReference(ByteCursor &cursor, Copier &copier);
  void patchStart(ByteCursor &cursor, Copier &copier);

  /// Writes the body of a defined function, with its size.
  llvm::Error rewriteBody(uint32_t function);
  /// Writes the body of an imported function's thunk, with its size.
  void writeThunk(uint32_t importedFunction);
  /// Writes the body of the thunk to which references of `function` go. To be called after all
  /// bodies of the original have been written.
  void writeReferenceThunk(uint32_t function);
  /// Writes the body of an added function, with its size.
  void writeFunction(const CodeMaker &code);
  /// The moves of requested bodies in the buffer, to be taken once.
  MovedBodies takeMoves();

private:
  /// What is known of a body that has been copied.
  struct CopiedBody {
    uint8_t traits = 0;
    bool branchesOut = false;
    /// Its last instruction, the function's `end`.
    const uint8_t *last = nullptr;
  };
  void patchInstruction(ByteCursor &cursor, const Instruction &instruction, Copier &copier);
  void patchIndex(ByteCursor &cursor, const uint8_t *begin, const uint8_t *end, uint32_t old,
                  uint32_t (IndexMap::*target)(uint32_t) const, Copier &copier);
  const CallSiteEdit *findCallSite(uint32_t caller, const Instruction &instruction) const;
  void editCallSite(ByteCursor &cursor, const Instruction &instruction, const CallSiteEdit &edit,
                    Copier &copier);
  void insert(const CodeSequence &code);
  bool isSurrounded(const Instruction &instruction) const;
  void surroundCall(ByteCursor &cursor, const Instruction &instruction, Copier &copier);
  uint32_t countLocals(uint32_t function) const;
  void prepareEdit(uint32_t function);
  void writeLocals(ByteCursor &cursor, Copier &copier);
  void writeAddedLocals();
  void passArguments(uint32_t function);
  void writeCall(uint8_t opcode, uint32_t function, uint32_t index);
  void writeCalling(uint32_t function, uint32_t index, bool isTail);
  void beginInsertions(uint32_t function, const ByteCursor &code);
  std::optional<uint8_t> knownTraits() const;
  llvm::Expected<CopiedBody> copyBody(uint32_t function, ByteCursor &cursor, Copier &copier);
  CopiedBody copyBlindly(uint8_t traits, ByteCursor &cursor, Copier &copier);
  void insertAt(const uint8_t *place, Copier &copier);
  void resolve(const CodeSequence &code, uint32_t addedLocal,
               llvm::SmallVectorImpl<uint8_t> &out) const;
  static std::array<bool, 256> findPlainOpcodes();
  bool findWhetherOnlyInserts() const;
  bool storesFunctions(const Instruction &instruction) const;
  void noteTraits(uint8_t traits);
  void writeBlockHead(uint8_t opcode, uint32_t type, ByteWriter &writer) const;
  void writeWrapperHead(bool catches, uint32_t type, ByteWriter &writer) const;
  void writeWrapperEnd(bool catches);
  /// Writes the code at a return.
  void writeReturnExit();

  const Module &module_;
  const ModuleEditor::Additions &additions_;
  const IndexMap &indices_;
  llvm::function_ref<void(uint32_t, FunctionEdit &)> edit_;
  const CodeMovements &movements_;
  llvm::MutableArrayRef<uint8_t> makesTailCalls_;
  ByteWriter &writer_;
  EditStatistics &statistics_;
  std::optional<CodeInserter> inserter_;
  /// Whether all instructions of the original are copied unchanged, with code between them.
  const bool onlyInserts_ = findWhetherOnlyInserts();
  /// By the first byte of an opcode.
  const std::array<bool, 256> isPlain_ = findPlainOpcodes();
  // Buffers, reused for every body.
  FunctionEdit functionEdit_;
  llvm::SmallVector<uint8_t, 64> entry_;
  llvm::SmallVector<uint8_t, 64> exit_;
  llvm::SmallVector<uint8_t, 64> returnExit_;
  llvm::SmallVector<uint8_t, 64> exceptionExit_;
  CodeSequence functionCode_;
  MovedBodies moved_;
};

} // namespace warpo::wasm

#endif
