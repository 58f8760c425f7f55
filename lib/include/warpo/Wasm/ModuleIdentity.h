//===- ModuleIdentity.h - How an instrumented module names its original ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The custom section `warpo.module`, the last one of an instrumented module:
//
//   contents := version:u8 = 1
//               module identifier:u64, little endian
//               hash of the original's bytes: 32 bytes, BLAKE3
//               build identifier of the original: LEB128 length (0 if it had none) and bytes
//
// The module identifier is what records carry. Unless chosen otherwise it is the first 8 bytes of
// the hash, little endian.
//
// The tool conventions' section `build_id` (a LEB128 length and bytes) names the code itself: the
// instrumented module gets a new one in the place of the original's.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_MODULEIDENTITY_H
#define WARPO_WASM_MODULEIDENTITY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>

namespace warpo::wasm {

inline constexpr llvm::StringLiteral moduleIdentitySection = "warpo.module";
/// Where the original's code comes from: docs/source-places.md. Recorders copy what it contains.
inline constexpr llvm::StringLiteral placesSection = "warpo.places";

/// Where its code is in the instrumented module: docs/instrumented-module.md. Hosts copy what it
/// contains into files that say where calls were left.
inline constexpr llvm::StringLiteral codeSection = "warpo.code";

struct ModuleIdentity {
  uint64_t moduleId = 0;
  std::array<uint8_t, 32> originalHash = {};
  /// The bytes of its section `build_id`, without the length.
  llvm::SmallVector<uint8_t, 32> originalBuildId;

  /// Hashes the original; leaves its build identifier empty.
  static ModuleIdentity ofOriginal(llvm::ArrayRef<uint8_t> bytes);
};

/// The contents of the section.
llvm::SmallVector<uint8_t, 0> encodeModuleIdentity(const ModuleIdentity &identity);

/// What the section says; nothing if the module has none. Looks at nothing else of the module than
/// where its sections begin.
llvm::Expected<std::optional<ModuleIdentity>> readModuleIdentity(llvm::ArrayRef<uint8_t> bytes,
                                                                 llvm::StringRef fileName);

/// Puts new bytes into the section `build_id`, as many as it has: those of the BLAKE3 hash of the
/// module with zeros in their place, over and over if it has more. Does nothing if there is no such
/// section.
llvm::Error renewBuildId(llvm::MutableArrayRef<uint8_t> module, llvm::StringRef fileName);

} // namespace warpo::wasm

#endif
