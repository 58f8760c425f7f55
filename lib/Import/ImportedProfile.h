//===- ImportedProfile.h - A profile from another program's stacks --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_IMPORT_IMPORTEDPROFILE_H
#define WARPO_LIB_IMPORT_IMPORTEDPROFILE_H

#include "warpo/Profile/ProfileBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace warpo {

/// A frame in a file. Empty and 0 mean unknown.
struct ImportedFrame {
  llvm::StringRef name;
  llvm::StringRef module = {};
  /// The begin of the function. Lines count from 1.
  llvm::StringRef file = {};
  uint32_t line = 0;
  /// The executed line.
  llvm::StringRef executedFile = {};
  uint32_t executedLine = 0;
};

/// Collects stacks. Files are untrusted, and a small one may repeat the same frames many times:
/// more than maxContexts contexts, maxFunctions functions, maxText bytes of names, maxFrames frames
/// on all stacks together, maxWeights weights, or maxAmounts amounts (one per context and weight)
/// are an error.
class ImportedProfile {
public:
  static constexpr size_t maxContexts = size_t(1) << 22;
  static constexpr size_t maxFunctions = size_t(1) << 22;
  static constexpr size_t maxWeights = 256;
  static constexpr size_t maxAmounts = size_t(1) << 27;
  static constexpr size_t maxText = size_t(1) << 28;
  static constexpr uint64_t maxFrames = uint64_t(1) << 30;

  ImportedProfile() : builder_(Profile()) {}

  /// Returns one function for equal frames. Converts engines' names for functions of a module, such
  /// as `wasm-function[12]`, to ours.
  FunctionIndex function(const ImportedFrame &frame);
  /// Returns `caller` after a failure.
  NodeIndex child(NodeIndex caller, FunctionIndex function);
  /// Whether take() will fail, so that reading can stop.
  bool hasFailed() const { return !excess_.empty(); }
  /// Finds or adds the weight with this name. Returns another one if there are too many.
  WeightIndex weight(llvm::StringRef name, llvm::StringRef unit);
  /// Saturates. Amounts of the root count for a function `(root)`.
  void add(NodeIndex node, WeightIndex weight, uint64_t amount);

  /// The first weight in nanoseconds is renamed to `time`, as in our profiles, unless there is a
  /// weight with this name. An error begins with `file`.
  llvm::Expected<Profile> take(llvm::StringRef file);

private:
  uint32_t moduleOf(llvm::StringRef name);
  /// Whether `count` exceeds `most`, which makes take() fail.
  bool exceeds(uint64_t count, uint64_t most, llvm::StringRef what);

  ProfileBuilder builder_;
  llvm::StringMap<FunctionIndex> functions_;
  llvm::StringMap<uint32_t> modules_;
  llvm::StringMap<WeightIndex> weights_;
  SharedTexts texts_;
  /// Bytes of the functions' keys, and of all keys looked up.
  uint64_t text_ = 0;
  uint64_t looked_ = 0;
  uint64_t frames_ = 0;
  /// The exceeded limit, as in `it has more than 3 weights`.
  std::string excess_;
};

} // namespace warpo

#endif
