//===- PathId.h - A number for a stack of names ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PARQUET_PATHID_H
#define WARPO_OUTPUT_PARQUET_PATHID_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

/// Depends only on the displayed names from the outermost call on: the same in every file, on every
/// machine and in every version, as tests enforce. Signed, as readers of columnar files lack
/// unsigned 64-bit numbers. Two different stacks share an id with a probability of 1 in 2^64.
using PathId = int64_t;

/// The path of an empty stack.
inline constexpr PathId hostPath = 0;

/// The number by which a name changes a path.
uint64_t pathStep(llvm::StringRef name);

/// The path of a call, from `path`, of the function whose name has `step`.
inline PathId callPath(PathId path, uint64_t step) {
  // The finalizer of the 64-bit MurmurHash3, which is invertible: callees of one caller have
  // different paths if their steps differ.
  uint64_t mixed = uint64_t(path) * 0x9e3779b97f4a7c15u + step;
  mixed = (mixed ^ mixed >> 33) * 0xff51afd7ed558ccdu;
  mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53u;
  return PathId(mixed ^ mixed >> 33);
}

} // namespace warpo

#endif
