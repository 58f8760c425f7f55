//===- Landings.h - Where a function goes on after it was left ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_LANDINGS_H
#define WARPO_LIB_INSTRUMENT_LANDINGS_H

#include "warpo/Wasm/CodeWalker.h"

namespace warpo {

/// Finds the places where a function runs again after an exception or an instruction that leaves
/// it: behind such instructions, at handlers, and at the labels of both. A label of the function
/// itself leads to its exit.
class Landings {
public:
  /// `leaves`: whether instructions of an opcode leave the function otherwise than by an exception;
  /// null: none do.
  explicit Landings(bool (*leaves)(uint8_t opcode) = nullptr) : leaves_(leaves) {}

  /// To be called with each instruction, its labels and the offset of its begin, in code order.
  /// Calls `add` with the offsets of the places, in any order.
  void follow(const wasm::Instruction &instruction, llvm::ArrayRef<uint32_t> labels,
              uint32_t offset, llvm::function_ref<void(uint32_t)> add);
  /// Whether one of the labels so far was that of the function.
  bool aimsAtExit() const { return aimsAtExit_; }

private:
  struct Block {
    bool isLoop;
    bool isTarget;
    uint32_t begin;
  };
  void aim(uint32_t label) {
    if (label < blocks_.size())
      blocks_[blocks_.size() - 1 - label].isTarget = true;
    else
      aimsAtExit_ = true;
  }

  bool (*leaves_)(uint8_t opcode);
  llvm::SmallVector<Block, 16> blocks_;
  bool landsHere_ = false;
  bool aimsAtExit_ = false;
};

} // namespace warpo

#endif
