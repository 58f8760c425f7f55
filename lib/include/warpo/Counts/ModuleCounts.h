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
};

/// What was counted, in the module that it was counted in.
class ModuleCounts {
public:
  /// An error if none of the counts are of the module, or of a plan that this version does not
  /// make. Both must outlive this.
  static llvm::Expected<ModuleCounts> create(const wasm::Module &module, const CountSums &sums);

  /// Calls `visit` with each function that has code, in the module's order.
  void forEach(llvm::function_ref<void(const FunctionCounts &)> visit) const;

  const wasm::Module &module() const { return module_; }
  const CountData &data() const { return data_; }
  const CounterPlan &plan() const { return plan_; }

private:
  ModuleCounts(const wasm::Module &module, const CountData &data, CounterPlan plan)
      : module_(module), data_(data), plan_(std::move(plan)) {}

  const wasm::Module &module_;
  const CountData &data_;
  CounterPlan plan_;
};

} // namespace warpo

#endif
