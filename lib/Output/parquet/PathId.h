//===- PathId.h - A number for a stack of names ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_PARQUET_PATHID_H
#define WARPO_OUTPUT_PARQUET_PATHID_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

/// Depends on the names from the outermost call on, as they are shown, and on nothing else: the
/// same in every file, on every machine and in every version, which tests hold it to. Signed, as
/// readers of columnar files lack unsigned numbers of 64 bits. Different stacks have different ids
/// but by an accident of 1 to 2^64.
using PathId = int64_t;

/// The path of no call.
inline constexpr PathId hostPath = 0;

/// What a name does to a path.
uint64_t pathStep(llvm::StringRef name);

/// The path of a call from `path` of the function whose name gave `step`.
inline PathId callPath(PathId path, uint64_t step) {
  // The last steps of MurmurHash3 for 64 bits, each of which can be undone: one caller's callees
  // differ as their steps do.
  uint64_t mixed = uint64_t(path) * 0x9e3779b97f4a7c15u + step;
  mixed = (mixed ^ mixed >> 33) * 0xff51afd7ed558ccdu;
  mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53u;
  return PathId(mixed ^ mixed >> 33);
}

} // namespace warpo

#endif
