//===- HeapInterval.h - The sampling interval of heaps --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_HEAPINTERVAL_H
#define WARPO_LIB_TOOLING_HEAPINTERVAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace warpo {

/// Parses the value of --heap-sample-every to bytes: a number from 1 to 2^53-1, optionally followed
/// by KiB, MiB or GiB.
llvm::Expected<uint64_t> readHeapInterval(llvm::StringRef text);

} // namespace warpo

#endif
