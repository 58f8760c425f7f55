//===- Artifact.h - Data in a module for its host to fetch ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An instrumented module may collect data, which its host fetches when the program has ended and
// writes to a file. The custom section `warpo.artifacts` describes how: docs/instrumented-module.md
// has its grammar. A host needs to know nothing else about the instrumentation.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_ARTIFACT_H
#define WARPO_WASM_ARTIFACT_H

#include "warpo/Wasm/Module.h"

namespace warpo::wasm {

inline constexpr llvm::StringLiteral artifactSection = "warpo.artifacts";

struct Artifact {
  /// Where the data is. Numbers become little-endian bytes.
  enum class Access : uint8_t {
    memory,   ///< a part of the exported memory `exports[0]`
    function, ///< numbers: the results of the function `exports[0]`, (i32) -> `type`, for 0, 1, …
    globals,  ///< numbers: the globals `exports`, each a `type`
  };

  /// The name of the file's format: `order-dump`. Files with the same extension have the same
  /// format.
  std::string format;
  /// The extension of its file, with the dot. The file is written beside the record. Empty: the
  /// file is a record itself, and takes the record's place if nothing else is recorded.
  std::string extension;
  /// A description for users: `calls of each function`.
  std::string description;
  /// The file begins with these bytes, followed by the data.
  llvm::SmallVector<uint8_t, 0> head = {};

  Access access = Access::memory;
  std::vector<std::string> exports;
  /// For Access::memory.
  uint64_t offset = 0, size = 0;
  static constexpr uint64_t toItsEnd = UINT64_MAX;
  /// For numbers: i32 or i64, and how often to call the function.
  ValueType type = ValueType::i32;
  uint32_t count = 0;

  bool isRecord() const { return extension.empty(); }

  /// The maximum of `count`.
  static constexpr uint32_t mostNumbers = 1 << 24;
  static constexpr size_t mostExports = 4096;
};

/// Fails if a field is invalid.
llvm::Error checkArtifact(const Artifact &artifact);

/// The contents of the section, for artifacts that have been checked.
llvm::SmallVector<uint8_t, 0> encodeArtifacts(llvm::ArrayRef<Artifact> artifacts);

/// The artifacts in the section of a module, checked against its exports. If there is no section,
/// the artifact in the exports of the instrumentation `order`, as in older modules. Fails if the
/// section is damaged or refers to a missing export.
llvm::Expected<std::vector<Artifact>> findArtifacts(const Module &module);

} // namespace warpo::wasm

#endif
