//===- HeapProfile.h - What was allocated, and is in use, as a profile ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_HEAPPROFILE_H
#define WARPO_PROFILE_HEAPPROFILE_H

#include "warpo/Heap/HeapAnalysis.h"
#include "warpo/Profile/Profile.h"

namespace warpo {

/// The weights of a heap profile, in the order that Go has them in.
inline constexpr llvm::StringLiteral heapWeights[] = {"alloc_objects", "alloc_space",
                                                      "inuse_objects", "inuse_space"};
bool isHeapWeight(llvm::StringRef name);

/// The moment at which a heap profile shows what is in use; nothing where it is not known what was
/// there before.
enum class InUse : uint8_t { unknown, atEnd, atPeak, atTime };

struct HeapProfile {
  Profile profile;
  /// Paths that were counted in an `(other)` context, since the tree was full, and in a `(deeper)`
  /// one.
  uint64_t pathsInOther = 0;
  uint64_t pathsTooDeep = 0;
};

/// Each stack's objects and bytes. `inuse_space` is shown or, if it is unknown, `alloc_space`.
HeapProfile makeHeapProfile(const HeapAnalysis &heap, FunctionTable &functions,
                            const CallTreeOptions &limits, InUse inUse, llvm::StringRef title);

} // namespace warpo

#endif
