//===- Artifacts.h - Fetches what instances hold for their host -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// See wasm::Artifact. js/recorder/artifacts/artifacts.mjs does the same in V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_ARTIFACTS_H
#define WARPO_LIB_ENGINE_ARTIFACTS_H

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Wasm/Artifact.h"
#include <map>

namespace warpo {

/// Calls of an instance that were open at one or several moments.
struct OpenFrames {
  /// How many stacks were not known.
  uint64_t unknown = 0;
  /// By function and offset in the module's file; 0: not known.
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> calls;

  /// Those of the unit in this place that are on a stack; nothing: it is not known.
  void add(std::optional<llvm::ArrayRef<TrapFrame>> stack, size_t place);
};

/// What an instance counted in a part of the run (CountedPart.h).
struct PartCounts {
  std::vector<uint64_t> counters;
  /// In the middle of which calls the part began and ended.
  OpenFrames begun, left;
};

/// The artifact of counts among those that a module lists.
llvm::Expected<std::optional<wasm::Artifact>> findCounts(const wasm::Module &module);
/// The counters of an instance.
llvm::Expected<std::vector<uint64_t>> fetchCounters(const wasm::Artifact &counts,
                                                    StoppedInstance &instance);

/// Adds to the result what an instance of the module holds; what cannot be fetched becomes a
/// problem. The program has ended and RunResult::instrumented is known: artifacts that are records
/// are left out beside the record of an instrumented module. `left`: in the middle of which calls
/// the program ended. With `part`, that is what is told as counts.
void fetchArtifacts(const wasm::Module &module, uint64_t moduleId, StoppedInstance &instance,
                    const OpenFrames &left, const PartCounts *part, RunResult &result);

} // namespace warpo

#endif
