//===- ImportedProfile.h - A profile made of another program's stacks -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_IMPORT_IMPORTEDPROFILE_H
#define WARPO_LIB_IMPORT_IMPORTEDPROFILE_H

#include "warpo/Profile/ProfileBuilder.h"
#include "llvm/ADT/StringMap.h"

namespace warpo {

/// A frame as a file says it. What is empty or 0 is not known.
struct ImportedFrame {
  llvm::StringRef name;
  llvm::StringRef module = {};
  /// Where the function begins. Lines count from 1.
  llvm::StringRef file = {};
  uint32_t line = 0;
  /// What was being executed.
  llvm::StringRef executedFile = {};
  uint32_t executedLine = 0;
};

/// Collects stacks. The files are anybody's, and a small one may say the same frames again and
/// again: more than maxContexts contexts, maxFunctions functions, maxText bytes of their names,
/// maxFrames frames on all stacks together, or maxWeights weights are an error, and so are
/// maxAmounts amounts, one for each context and weight.
class ImportedProfile {
public:
  static constexpr size_t maxContexts = size_t(1) << 22;
  static constexpr size_t maxFunctions = size_t(1) << 22;
  static constexpr size_t maxWeights = 256;
  static constexpr size_t maxAmounts = size_t(1) << 27;
  static constexpr size_t maxText = size_t(1) << 28;
  static constexpr uint64_t maxFrames = uint64_t(1) << 30;

  ImportedProfile() : builder_(Profile()) {}

  /// Equal frames are one function. A name that an engine gives to a function of a module, as in
  /// `wasm-function[12]`, becomes the one that we give it.
  FunctionIndex function(const ImportedFrame &frame);
  /// `caller` itself once it has failed.
  NodeIndex child(NodeIndex caller, FunctionIndex function);
  /// Whether take() is going to fail, so that no more need be read.
  bool hasFailed() const { return !excess_.empty(); }
  /// The weight of this name; added if there is none. Another one if that is too many.
  WeightIndex weight(llvm::StringRef name, llvm::StringRef unit);
  /// Sums stop at the largest number. What is spent below no function counts for `(root)`.
  void add(NodeIndex node, WeightIndex weight, uint64_t amount);

  /// Of a profile that has no weight of this name, the first weight in nanoseconds is called
  /// `time`, as it is in ours. `file` stands in front of an error.
  llvm::Expected<Profile> take(llvm::StringRef file);

private:
  uint32_t moduleOf(llvm::StringRef name);
  /// Whether these are too many, which makes take() fail.
  bool exceeds(uint64_t count, uint64_t most, llvm::StringRef what);

  ProfileBuilder builder_;
  llvm::StringMap<FunctionIndex> functions_;
  llvm::StringMap<uint32_t> modules_;
  llvm::StringMap<WeightIndex> weights_;
  SharedTexts texts_;
  /// Bytes of what the functions are known by, and of what they were looked for by.
  uint64_t text_ = 0;
  uint64_t looked_ = 0;
  uint64_t frames_ = 0;
  /// What there is too much of, as in `it has more than 3 weights`.
  std::string excess_;
};

} // namespace warpo

#endif
