//===- CodeMovements.h - Maps old offsets of code to new ones -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CODEMOVEMENTS_H
#define WARPO_WASM_CODEMOVEMENTS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace warpo::wasm {

/// The begin of a copied run of bytes, in the original body and in the rewritten one. Offsets count
/// from the first byte of the body's local declarations.
struct CopiedRun {
  uint32_t oldOffset = 0;
  uint32_t newOffset = 0;
};

/// What one thread has moved: a list for all of its bodies, since a module has many small ones.
struct MovedBodies {
  struct Body {
    uint32_t function = 0;
    /// The number of its first run; the others follow, in ascending order.
    size_t firstRun = 0;
    /// Where the body begins in the output, from the first byte of its local declarations.
    uint64_t begin = 0;
    uint32_t size = 0;
  };
  std::vector<CopiedRun> runs;
  std::vector<Body> bodies;
};

/// Maps offsets in the bodies of a module's functions to offsets in the rewritten bodies, for
/// requested functions.
class CodeMovements {
public:
  struct Body {
    /// Empty if none were set.
    llvm::ArrayRef<CopiedRun> runs;
    /// Where the new body begins in the contents of the new code section.
    uint64_t begin = 0;
    uint32_t size = 0;
  };

  /// To be called before the module is rewritten.
  void request(uint32_t function) {
    // The set reserves the two highest numbers; no function has them.
    if (function < UINT32_MAX - 1)
      requested_.insert(function);
  }
  void requestAll() { wantsAll_ = true; }
  bool isRequested(uint32_t function) const { return wantsAll_ || requested_.contains(function); }

  /// Forgets everything but the requests, before a module with so many functions is rewritten.
  void begin(uint32_t functions);
  /// Adds requested functions. `codeSection`: where the contents of the code section begin in the
  /// thread's output, modulo 2^64.
  void add(MovedBodies moved, uint64_t codeSection);

  /// Nothing for functions that were not added.
  Body body(uint32_t function) const {
    return function < bodies_.size() ? bodies_[function] : Body();
  }
  /// The number of runs of all functions.
  size_t totalRuns() const;
  /// The new offset of the instruction at `offset`, behind code inserted before it. Monotonic, even
  /// for offsets within an instruction.
  uint32_t newOffset(uint32_t function, uint32_t offset) const;

private:
  bool wantsAll_ = false;
  llvm::DenseSet<uint32_t> requested_;
  /// The bodies refer to them.
  std::vector<MovedBodies> moved_;
  /// By function.
  std::vector<Body> bodies_;
};

} // namespace warpo::wasm

#endif
