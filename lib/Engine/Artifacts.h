//===- Artifacts.h - Fetches what instances hold for their host -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// See wasm::Artifact. js/recorder/artifacts.mjs does the same in V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_ARTIFACTS_H
#define WARPO_LIB_ENGINE_ARTIFACTS_H

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"

namespace warpo {

/// The calls of an instance in the middle of which the program ended.
struct LeftFrames {
  bool areUnknown = false;
  std::vector<TrapFrame> frames;
};

/// Adds to the result what an instance of the module holds; what cannot be fetched becomes a
/// problem. The program has ended and RunResult::instrumented is known: artifacts that are records
/// are left out beside the record of an instrumented module.
void fetchArtifacts(const wasm::Module &module, uint64_t moduleId, StoppedInstance &instance,
                    const LeftFrames &left, RunResult &result);

} // namespace warpo

#endif
