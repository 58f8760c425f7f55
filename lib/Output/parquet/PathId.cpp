//===- PathId.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PathId.h"
#include "llvm/Support/xxhash.h"

uint64_t warpo::pathStep(llvm::StringRef name) { return llvm::xxHash64(name); }
