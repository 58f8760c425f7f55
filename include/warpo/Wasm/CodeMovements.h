//===- CodeMovements.h - Where instructions have gone ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODEMOVEMENTS_H
#define WARPO_WASM_CODEMOVEMENTS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace warpo::wasm {

/// A run of bytes that has been copied: where it began, in bytes from the start of what is copied
/// and of the output.
struct CopiedRun {
  uint64_t oldOffset = 0;
  uint64_t newOffset = 0;
};

/// The way from offsets in the bodies of a module's functions to those in the rewritten ones, for
/// the functions that somebody has asked for. Offsets count from the first byte of a body's local
/// declarations.
class CodeMovements {
public:
  /// To be called before the module is rewritten.
  void request(uint32_t function) {
    // The two highest numbers are the map's own; no function has them.
    if (function < UINT32_MAX - 1)
      runs_.try_emplace(function);
  }
  void requestAll(const Module &module);

  bool isRequested(uint32_t function) const { return runs_.count(function); }
  /// Of a function that has been requested; `runs` are in rising order. Several threads may tell of
  /// different functions at once.
  void set(uint32_t function, std::vector<CopiedRun> runs) {
    runs_.find(function)->second = std::move(runs);
  }

  /// The runs that set() was given for a function; empty if none.
  llvm::ArrayRef<CopiedRun> runsOf(uint32_t function) const {
    auto found = runs_.find(function);
    if (found == runs_.end())
      return {};
    return found->second;
  }
  /// The new place of the instruction at `offset`, behind what was inserted before it. Rises with
  /// the offset, also where that is inside of an instruction.
  uint32_t newOffset(uint32_t function, uint32_t offset) const;

private:
  llvm::DenseMap<uint32_t, std::vector<CopiedRun>> runs_;
};

} // namespace warpo::wasm

#endif
