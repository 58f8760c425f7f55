//===- HeapInterval.h - How far apart heaps are sampled -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_HEAPINTERVAL_H
#define WARPO_LIB_TOOLING_HEAPINTERVAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace warpo {

/// The value of --heap-sample-every, in bytes: a number from 1 to 2^53-1, perhaps with KiB, MiB or
/// GiB behind it.
llvm::Expected<uint64_t> readHeapInterval(llvm::StringRef text);

} // namespace warpo

#endif
