//===- OrderArtifacts.h - First executions, as hosts fetch them -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// What the instrumentation `order` declares, and hosts have to pack: docs/order.md.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_ORDERARTIFACTS_H
#define WARPO_WASM_ORDERARTIFACTS_H

#include "warpo/Wasm/Artifact.h"

namespace warpo::wasm {

/// The format of the file. Hosts make it of numbers, where a function returns these.
inline constexpr llvm::StringLiteral orderDumpFormat = "order-dump";

/// The dump at the beginning of the memory that is exported for it. Without a size its head says
/// how large it is.
Artifact orderDumpArtifact(std::optional<uint64_t> size);
/// The ranks of so many functions, or of fewer, up to a 0.
Artifact orderRanksArtifact(uint32_t functions);

} // namespace warpo::wasm

#endif
