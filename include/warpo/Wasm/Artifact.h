//===- Artifact.h - What a module holds for its host to fetch -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An instrumented module may collect data by itself, which its host fetches when the program has
// ended and writes to a file. The module says how in the custom section `warpo.artifacts`:
// docs/instrumented-module.md has its grammar. A host needs to know nothing else of the
// instrumentation.
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
    memory,   ///< a part of the memory that is exported as `exports[0]`
    function, ///< numbers: what the function `exports[0]`, (i32) -> `type`, returns for 0, 1, …
    globals,  ///< numbers: the globals `exports`, each a `type`
  };

  /// What the file is, for its readers: `order-dump`. Files of one extension have one format.
  std::string format;
  /// Of its file, with the dot, which lies beside the record. Empty: it is a record itself, and
  /// takes its place if nothing else is recorded.
  std::string extension;
  /// What users know the data as: `calls of each function`.
  std::string description;
  /// The file begins with these bytes, and the data follows.
  llvm::SmallVector<uint8_t, 0> head = {};

  Access access = Access::memory;
  std::vector<std::string> exports;
  /// Of a memory.
  uint64_t offset = 0, size = 0;
  static constexpr uint64_t toItsEnd = UINT64_MAX;
  /// Of numbers: i32 or i64; how many a function is asked for.
  ValueType type = ValueType::i32;
  uint32_t count = 0;

  bool isRecord() const { return extension.empty(); }

  /// How many numbers a function may be asked for.
  static constexpr uint32_t mostNumbers = 1 << 24;
  static constexpr size_t mostExports = 4096;
};

/// An error if the names, or the numbers, are not those of an artifact.
llvm::Error checkArtifact(const Artifact &artifact);

/// The contents of the section, for artifacts that have been checked.
llvm::SmallVector<uint8_t, 0> encodeArtifacts(llvm::ArrayRef<Artifact> artifacts);

/// What the section of a module lists, checked against its exports; without one, what the exports
/// of the instrumentation `order` hold, as older modules have them. An error if the section is
/// damaged, or lists what is not there.
llvm::Expected<std::vector<Artifact>> findArtifacts(const Module &module);

} // namespace warpo::wasm

#endif
