//===- ModuleIdentity.h - Identifies the original of an instrumented module ===//
// SPDX-License-Identifier: Apache-2.0
//
// The custom section `warpo.module`, the last one of an instrumented module:
//
//   contents := version:u8 = 1
//               module identifier:u64, little endian
//               hash of the original's bytes: 32 bytes, BLAKE3
//               build identifier of the original: LEB128 length (0 if it had none) and bytes
//
// Records contain the module identifier. By default it is the first 8 bytes of the hash, little
// endian.
//
// The section `build_id` of the tool conventions (a LEB128 length and bytes) identifies the code:
// the instrumented module gets a new build identifier in place of the original's.
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
/// Source locations of the original's code: docs/source-places.md. Recorders copy its contents.
inline constexpr llvm::StringLiteral placesSection = "warpo.places";

/// Maps the original's code to the instrumented module: docs/instrumented-module.md. Hosts copy its
/// contents into files with the locations of open calls.
inline constexpr llvm::StringLiteral codeSection = "warpo.code";

struct ModuleIdentity {
  uint64_t moduleId = 0;
  std::array<uint8_t, 32> originalHash = {};
  /// The bytes of the original's section `build_id`, without the length.
  llvm::SmallVector<uint8_t, 32> originalBuildId;

  /// Hashes the original; leaves originalBuildId empty.
  static ModuleIdentity ofOriginal(llvm::ArrayRef<uint8_t> bytes);
};

/// The contents of the section.
llvm::SmallVector<uint8_t, 0> encodeModuleIdentity(const ModuleIdentity &identity);

/// Reads the section; nothing if the module has none. Reads nothing else of the module but the
/// headers of its sections.
llvm::Expected<std::optional<ModuleIdentity>> readModuleIdentity(llvm::ArrayRef<uint8_t> bytes,
                                                                 llvm::StringRef fileName);

/// Replaces the bytes of the section `build_id` by the BLAKE3 hash of the module with zeros in
/// their place, cut or repeated to the same length. Does nothing if there is no such section.
llvm::Error renewBuildId(llvm::MutableArrayRef<uint8_t> module, llvm::StringRef fileName);

} // namespace warpo::wasm

#endif
