//===- ModuleCounts.h - How often every part of a module ran --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_COUNTS_MODULECOUNTS_H
#define WARPO_COUNTS_MODULECOUNTS_H

#include "warpo/Counts/CountFile.h"
#include "warpo/Counts/FlowCounts.h"

namespace warpo {

/// A function with code, and what is known of it.
struct FunctionCounts {
  /// In the module.
  uint32_t index;
  const FlowGraph &graph;
  const FlowCounts &counts;
  /// Each of its counts is off by at most this many; 0: they are exact. Otherwise calls of the
  /// function were left, or were open when counting began, at unknown places.
  uint64_t within = 0;
};

/// What was counted, in the module that it was counted in.
class ModuleCounts {
public:
  /// It is an error if none of the counts are of the module, if they follow a plan that this
  /// version does not make, or if they contradict the module. Both must outlive this.
  static llvm::Expected<ModuleCounts> create(const wasm::Module &module, const CountSums &sums);

  /// Calls `visit` with each function that has code, in the module's order.
  void forEach(llvm::function_ref<void(const FunctionCounts &)> visit) const;
  /// The same without most functions that were never executed, which takes less time.
  void forEachExecuted(llvm::function_ref<void(const FunctionCounts &)> visit) const;

  /// Says what is not exact, for users; empty if everything is exact.
  std::vector<std::string> describeInexactness() const;

  const wasm::Module &module() const { return module_; }
  const CountData &data() const { return data_; }
  const CounterPlan &plan() const { return plan_; }

private:
  ModuleCounts(const wasm::Module &module, const CountData &data, CounterPlan plan)
      : module_(module), data_(data), plan_(std::move(plan)) {}
  void forEachOf(llvm::function_ref<bool(const CounterPlan::Function &)> isOne,
                 llvm::function_ref<void(const FunctionCounts &)> visit) const;
  /// `sign`: 1 for calls that did not return, -1 for those that were open when counting began.
  llvm::Error findCalls(const LeftCalls &calls, int64_t sign);
  /// Whether some counts are computed from others. Otherwise calls that were left do no harm.
  bool followsFromOthers() const { return data_.options.choice == CounterChoice::tree; }

  /// Of one function.
  struct Left {
    /// By offset in its body, how many more calls were left there than counting begins with:
    /// modulo 2^64.
    std::map<uint32_t, uint64_t> calls;
    /// How many were left, or begun, somewhere.
    uint64_t anywhere = 0;
    /// Whether counting began within calls of the function.
    bool isBegun = false;
  };

  const wasm::Module &module_;
  const CountData &data_;
  CounterPlan plan_;
  std::map<uint32_t, Left> left_;
};

} // namespace warpo

#endif
