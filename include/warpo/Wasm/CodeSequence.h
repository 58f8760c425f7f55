//===- CodeSequence.h - Instructions to insert, before indices are known --===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODESEQUENCE_H
#define WARPO_WASM_CODESEQUENCE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace warpo::wasm {

/// A function of a module that is being rewritten, before its new index is known: `index` is its
/// index in the original or, if it is added, its number in the order of adding. `added` are thunks
/// of addThunk(), `addedCode` functions of addFunction().
struct FunctionRef {
  enum Origin : uint8_t { original, addedImport, added, addedCode } origin = original;
  uint32_t index = 0;
};
/// The same for a global. `last` is that of addLastGlobal().
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
  /// Access one of the variables requested by FunctionEdit::addedLocals.
  CodeSequence &addedLocalGet(uint32_t number = 0);
  CodeSequence &addedLocalSet(uint32_t number = 0);
  CodeSequence &addedLocalTee(uint32_t number);
  CodeSequence &globalGet(GlobalRef global);
  CodeSequence &globalSet(GlobalRef global);
  CodeSequence &call(FunctionRef function);
  /// Instructions without holes, encoded by the caller.
  CodeSequence &raw(llvm::ArrayRef<uint8_t> bytes) {
    bytes_.append(bytes.begin(), bytes.end());
    return *this;
  }
  CodeSequence &raw(uint8_t byte) {
    bytes_.push_back(byte);
    return *this;
  }
  /// `shift` is added to the indices of the globals that it names.
  CodeSequence &append(const CodeSequence &other, uint32_t shift = 0);

  void clear();
  bool empty() const { return bytes_.empty(); }

  /// A position in the sequence.
  struct Mark {
    uint32_t bytes = 0;
    uint32_t holes = 0;
  };
  struct Range {
    Mark begin, end;
    bool empty() const { return begin.bytes == end.bytes; }
  };
  Mark end() const { return {uint32_t(bytes_.size()), uint32_t(holes_.size())}; }

private:
  friend class IndexMap;

  /// Small, since a module can get a million of them.
  struct Hole {
    enum Kind : uint8_t { ofFunction, ofGlobal, ofAddedLocal };
    uint32_t offset;
    /// That of the function, the global or the added variable.
    uint32_t index;
    Kind kind;
    /// Of a function or a global.
    uint8_t origin;
  };
  CodeSequence &withHole(uint8_t opcode, Hole::Kind kind, uint32_t index, uint8_t origin = 0) {
    bytes_.push_back(opcode);
    holes_.push_back({uint32_t(bytes_.size()), index, kind, origin});
    return *this;
  }

  llvm::SmallVector<uint8_t, 16> bytes_;
  llvm::SmallVector<Hole, 2> holes_;
};

} // namespace warpo::wasm

#endif
