//===- OrderInput.h - Reads the runs that an order is made of -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_ORDERINPUT_H
#define WARPO_LIB_TOOLING_ORDERINPUT_H

#include "SymbolRuns.h"
#include "warpo/Tooling/ProfileInput.h"

namespace warpo {

/// What of its inputs a RunReader takes.
struct RunReading {
  /// Whether each stream of a record is a run of its own.
  bool eachStream = false;
  bool wantsCosts = false;
  /// The weight of a profile that is the cost of a function; empty: fuel if there is any, else
  /// time.
  std::string cost;
  /// If not null, inputs are dumps of LLVM's order file instrumentation.
  const OrderFileMapping *llvmMapping = nullptr;
};

/// Reads records, saved profiles and what LLVM recorded as runs of one module. Says on stderr what
/// was damaged.
class RunReader {
public:
  /// All must outlive it; `bytes` are the module's.
  RunReader(const OrderModule &module, llvm::ArrayRef<uint8_t> bytes, const ReadingOptions &options,
            const RunReading &reading)
      : module_(module), bytes_(bytes), matcher_(module), options_(options), reading_(reading) {}

  /// Adds the runs of an input, each with that weight. One that executed nothing of the module is
  /// reported, and is no run. Fails for a record of another module, or where it cannot be known.
  llvm::Error read(llvm::StringRef input, uint64_t weight);

  llvm::ArrayRef<OrderRun> runs() const { return runs_; }
  /// Names of functions that ran and are not found.
  const UnmatchedNames &unmatched() const { return unmatched_; }
  /// How many functions LLVM's files name again, where they say nothing.
  uint64_t repeated() const { return repeated_; }
  /// Of all that was read, the worst.
  ToolResult result() const { return result_; }

private:
  llvm::Expected<WeightIndex> costOf(const Profile &profile) const;
  std::vector<std::optional<uint32_t>> functionsOfSaved(const Profile &profile);
  llvm::Error reportEmpty(llvm::StringRef input);
  llvm::Error addCosts(const Profile &profile, const class ModuleStreams &streams, OrderRun &run);

  llvm::Error addSymbolRuns(llvm::ArrayRef<SymbolRun> runs, llvm::StringRef name, uint64_t weight);

  const OrderModule &module_;
  llvm::ArrayRef<uint8_t> bytes_;
  FunctionMatcher matcher_;
  const ReadingOptions &options_;
  const RunReading &reading_;
  std::vector<OrderRun> runs_;
  UnmatchedNames unmatched_;
  uint64_t repeated_ = 0;
  /// Made when LLVM's files are read.
  std::unique_ptr<SymbolIndex> symbols_;
  ToolResult result_ = ToolResult::done;
};

} // namespace warpo

#endif
