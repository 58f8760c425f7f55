//===- LabelNames.h - The labels of rewritten code ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_LABELNAMES_H
#define WARPO_LIB_WASM_LABELNAMES_H

#include "warpo/Wasm/CodeMovements.h"

namespace warpo::wasm {

/// Requests the movements of all functions that have names of labels in a name section; returns
/// whether there are any. Does not fail: whoever reads the names will.
bool requestLabelled(ByteCursor cursor, CodeMovements &movements);

/// Maps the labels of functions, which are numbered in the order in which their blocks begin, past
/// the blocks of inserted code.
class LabelMap {
public:
  /// `out`, which may grow, has the rewritten code section at `codeSection`. `movements` has the
  /// movements of the functions asked about.
  LabelMap(const Module &module, const llvm::SmallVectorImpl<uint8_t> &out, size_t codeSection,
           const CodeMovements &movements);

  /// The new numbers of the labels of a function with code. `newBody` is the number of its body in
  /// the rewritten code section.
  std::vector<uint32_t> labelsOf(uint32_t function, uint32_t newBody) const;

private:
  struct Body {
    size_t begin;
    uint32_t size;
  };
  const Module &module_;
  const llvm::SmallVectorImpl<uint8_t> &out_;
  const CodeMovements &movements_;
  std::vector<Body> bodies_;
};

} // namespace warpo::wasm

#endif
