//===- HeapProfile.h - Allocated and live memory as a profile -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_HEAPPROFILE_H
#define WARPO_PROFILE_HEAPPROFILE_H

#include "warpo/Heap/HeapAnalysis.h"
#include "warpo/Profile/Profile.h"

namespace warpo {

/// The weights of a heap profile, in Go's order.
inline constexpr llvm::StringLiteral heapWeights[] = {"alloc_objects", "alloc_space",
                                                      "inuse_objects", "inuse_space"};
bool isHeapWeight(llvm::StringRef name);

/// The moment for which a heap profile shows the memory in use; unknown if the memory in use before
/// the record is unknown.
enum class InUse : uint8_t { unknown, atEnd, atPeak, atTime };

struct HeapProfile {
  Profile profile;
  /// The numbers of paths counted in an `(other)` context because the tree was full, and in a
  /// `(deeper)` one.
  uint64_t pathsInOther = 0;
  uint64_t pathsTooDeep = 0;
};

/// Makes a profile of each stack's objects and bytes. It shows `inuse_space` or, if that is
/// unknown, `alloc_space`.
HeapProfile makeHeapProfile(const HeapAnalysis &heap, FunctionTable &functions,
                            const CallTreeOptions &limits, InUse inUse, llvm::StringRef title);

} // namespace warpo

#endif
