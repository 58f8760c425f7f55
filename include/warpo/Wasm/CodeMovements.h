//===- CodeMovements.h - Maps old offsets of code to new ones -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODEMOVEMENTS_H
#define WARPO_WASM_CODEMOVEMENTS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace warpo::wasm {

/// The begin of a copied run of bytes, in the source and in the output.
struct CopiedRun {
  uint64_t oldOffset = 0;
  uint64_t newOffset = 0;
};

/// Maps offsets in the bodies of a module's functions to offsets in the rewritten bodies, for
/// requested functions. Offsets count from the first byte of a body's local declarations.
class CodeMovements {
public:
  /// To be called before the module is rewritten.
  void request(uint32_t function) {
    // The map reserves the two highest numbers; no function has them.
    if (function < UINT32_MAX - 1)
      runs_.try_emplace(function);
  }
  void requestAll(const Module &module);

  bool isRequested(uint32_t function) const { return runs_.count(function); }
  /// Sets the runs of a requested function, in ascending order. Several threads may call this at
  /// once for different functions.
  void set(uint32_t function, llvm::ArrayRef<CopiedRun> runs) {
    runs_.find(function)->second.assign(runs.begin(), runs.end());
  }

  /// The runs of a function; empty if none were set.
  llvm::ArrayRef<CopiedRun> runsOf(uint32_t function) const {
    auto found = runs_.find(function);
    if (found == runs_.end())
      return {};
    return found->second;
  }
  /// Of all functions.
  size_t totalRuns() const {
    size_t total = 0;
    for (const auto &[function, runs] : runs_)
      total += runs.size();
    return total;
  }
  /// The new offset of the instruction at `offset`, behind code inserted before it. Monotonic, even
  /// for offsets within an instruction.
  uint32_t newOffset(uint32_t function, uint32_t offset) const;

private:
  llvm::DenseMap<uint32_t, std::vector<CopiedRun>> runs_;
};

} // namespace warpo::wasm

#endif
