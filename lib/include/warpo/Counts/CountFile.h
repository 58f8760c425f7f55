//===- CountFile.h - What instrumented modules have counted, in a file ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Files `.counts`: docs/counts.md has their grammar. A host writes the head, which the module gives
// it, and the counters behind it, once for each instance; what is merged has numbers as LEB128.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_COUNTFILE_H
#define WARPO_COUNTS_COUNTFILE_H

#include "warpo/Counts/CounterPlan.h"
#include "warpo/Counts/LeftCalls.h"
#include "warpo/Wasm/ModuleIdentity.h"

namespace warpo {

inline constexpr llvm::StringLiteral countFileExtension = ".counts";

struct CountData {
  /// Of the original module.
  std::array<uint8_t, 32> moduleHash = {};
  CountingOptions options;
  /// Of the plan.
  uint64_t fingerprint = 0;
  /// How many instances have counted.
  uint64_t instances = 0;
  /// The sum of theirs; one that would be more than 2^64 - 1 stays there.
  std::vector<uint64_t> counters;
  /// How many of them did.
  uint64_t saturated = 0;
  /// In the middle of which calls they ended.
  LeftCalls left;
  /// Of a part of a run, or where something was subtracted: in the middle of which calls it begins.
  LeftCalls begun;
};

/// Whether bytes begin as such a file does.
bool isCountFile(llvm::StringRef bytes);

/// What files say, added up for each module: a program may have several.
class CountSums {
public:
  /// Adds all that a file holds. Errors have the place; counts of a module that were planned
  /// otherwise than those before are one.
  llvm::Error add(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef fileName);

  /// Takes away what was counted up to an earlier moment of the same runs. An error if a counter
  /// was more then, or if nothing of such a module is here.
  llvm::Error subtract(const CountSums &earlier, llvm::StringRef fileName);

  llvm::ArrayRef<CountData> modules() const { return modules_; }

private:
  llvm::Error add(CountData part, llvm::StringRef fileName);
  llvm::Error checkPlan(const CountData &part, const CountData &sum,
                        llvm::StringRef fileName) const;

  std::vector<CountData> modules_;
  /// Their places there, by hash.
  std::map<std::array<uint8_t, 32>, size_t> places_;
};

/// The bytes before the counters, each of 8 bytes, of one instance.
llvm::SmallVector<uint8_t, 0> encodeCountHead(const CountData &data, uint32_t counters);
/// A file.
llvm::SmallVector<uint8_t, 0> encodeCounts(const CountData &data);

} // namespace warpo

#endif
