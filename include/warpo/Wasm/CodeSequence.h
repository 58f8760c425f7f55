//===- CodeSequence.h - Instructions to insert, before indices are known --===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODESEQUENCE_H
#define WARPO_WASM_CODESEQUENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace warpo::wasm {

/// Something of a module that is being rewritten, whatever its index will be: the original's
/// `index` or, of what the rewriter adds, the number in the order of adding. `added`: of
/// addThunk(); `addedCode`: of addFunction().
struct FunctionRef {
  enum Origin : uint8_t { original, addedImport, added, addedCode } origin = original;
  uint32_t index = 0;
};
/// `last`: of addLastGlobal().
struct GlobalRef {
  enum Origin : uint8_t { original, added, last } origin = original;
  uint32_t index = 0;
};

/// Encoded instructions with holes for indices. Made once and inserted many times.
class CodeSequence {
public:
  CodeSequence &i32Const(int32_t value);
  CodeSequence &i64Const(int64_t value);
  CodeSequence &localGet(uint32_t index);
  /// One of the variables that FunctionEdit::addedLocals asks for.
  CodeSequence &addedLocalGet(uint32_t number = 0);
  CodeSequence &addedLocalSet(uint32_t number = 0);
  CodeSequence &addedLocalTee(uint32_t number);
  CodeSequence &globalGet(GlobalRef global);
  CodeSequence &globalSet(GlobalRef global);
  CodeSequence &call(FunctionRef function);
  /// The function must be exported, or stand in an element.
  CodeSequence &refFunc(FunctionRef function);
  /// Instructions without holes, encoded by the caller.
  CodeSequence &raw(llvm::ArrayRef<uint8_t> bytes);
  CodeSequence &append(const CodeSequence &other);

  void clear();
  bool empty() const { return bytes_.empty(); }

  /// Appends the instructions to `out`, with the indices that the two functions give, and those of
  /// the added variables, which begin at `addedLocal`.
  void resolve(llvm::function_ref<uint32_t(FunctionRef)> functionIndex,
               llvm::function_ref<uint32_t(GlobalRef)> globalIndex, uint32_t addedLocal,
               llvm::SmallVectorImpl<uint8_t> &out) const;

private:
  struct Hole {
    enum Kind : uint8_t { ofFunction, ofGlobal, ofAddedLocal };
    uint32_t offset;
    Kind kind;
    FunctionRef function;
    GlobalRef global;
    uint32_t local = 0;
  };
  CodeSequence &withHole(uint8_t opcode, const Hole &hole);

  llvm::SmallVector<uint8_t, 16> bytes_;
  llvm::SmallVector<Hole, 2> holes_;
};

} // namespace warpo::wasm

#endif
