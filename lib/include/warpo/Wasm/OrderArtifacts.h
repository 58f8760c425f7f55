//===- OrderArtifacts.h - Artifacts with first executions -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Artifacts declared by the instrumentation `order`, some of which hosts have to pack:
// docs/order.md.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_ORDERARTIFACTS_H
#define WARPO_WASM_ORDERARTIFACTS_H

#include "warpo/Wasm/Artifact.h"

namespace warpo::wasm {

/// The format of the file. Where a function returns the numbers, hosts encode them.
inline constexpr llvm::StringLiteral orderDumpFormat = "order-dump";

/// A dump at the beginning of the memory exported for it. Without `size`, its header contains the
/// size.
Artifact orderDumpArtifact(std::optional<uint64_t> size);
/// The ranks of at most this many functions, terminated by 0 if there are fewer.
Artifact orderRanksArtifact(uint32_t functions);

} // namespace warpo::wasm

#endif
