//===- Artifacts.h - Fetches artifacts of instances -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// js/recorder/artifacts/artifacts.mjs does the same in V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_ARTIFACTS_H
#define WARPO_LIB_ENGINE_ARTIFACTS_H

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Wasm/Artifact.h"
#include <map>

namespace warpo {

/// Calls of an instance that were open at one or more moments.
struct OpenFrames {
  /// The number of unknown stacks.
  uint64_t unknown = 0;
  /// The number of calls by function and offset in the module's file, 0 if that is unknown.
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> calls;

  /// Adds the calls on a stack that belong to the unit `place`. `stack` is nothing if it is
  /// unknown.
  void add(std::optional<llvm::ArrayRef<TrapFrame>> stack, size_t place);
};

/// The counts of an instance in a part of the run (CountedPart.h).
struct PartCounts {
  std::vector<uint64_t> counters;
  /// The calls that were open when the part began, and when it ended.
  OpenFrames begun, left;
};

/// The artifact with counts of a module; nothing if there is none.
llvm::Expected<std::optional<wasm::Artifact>> findCounts(const wasm::Module &module);
/// Reads the counters of an instance.
llvm::Expected<std::vector<uint64_t>> fetchCounters(const wasm::Artifact &counts,
                                                    StoppedInstance &instance);

/// Adds the artifacts of an instance to the result, or problems for those that cannot be fetched.
/// The program must have ended, and RunResult::instrumented must be set: then artifacts that are
/// records are omitted. `left` are the calls that were open at the end of the program. With `part`,
/// its counts are used instead of those of the whole run.
void fetchArtifacts(const wasm::Module &module, uint64_t moduleId, StoppedInstance &instance,
                    const OpenFrames &left, const PartCounts *part, RunResult &result);

} // namespace warpo

#endif
