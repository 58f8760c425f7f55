//===- CountFile.h - What instrumented modules have counted, in a file ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Files `.counts`: docs/counts.md has their grammar. A host writes the head, which it gets from the
// module, and the counters, once for each instance. Other programs may write LEB128 numbers.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_COUNTFILE_H
#define WARPO_COUNTS_COUNTFILE_H

#include "warpo/Counts/CounterPlan.h"
#include "warpo/Counts/LeftCalls.h"
#include "warpo/Wasm/ModuleIdentity.h"

namespace warpo {

inline constexpr llvm::StringLiteral countFileExtension = ".counts";

/// How the counters are written; behind the signature and the version.
enum class NumberForm : uint8_t { fixed, leb128 };

struct CountData {
  /// Of the original module.
  std::array<uint8_t, 32> moduleHash = {};
  CountingOptions options;
  /// Of the plan.
  uint64_t fingerprint = 0;
  /// How many instances have counted.
  uint64_t instances = 0;
  /// Their sums, which stay at 2^64 - 1 where they would exceed it.
  std::vector<uint64_t> counters;
  /// How many counters did.
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
  /// Adds all that a file holds. Errors have the place. It is an error if counts of a module follow
  /// another plan than those before.
  llvm::Error add(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef fileName);

  /// Subtracts what was counted up to an earlier moment of the same runs. It is an error if a
  /// counter was larger then, or if there are no counts of such a module here.
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

/// What stands before the counters of one instance, which have 8 bytes each.
llvm::SmallVector<uint8_t, 0> encodeCountHead(const CountData &data, uint32_t counters);

} // namespace warpo

#endif
