//===- OrderInput.h - Reads the runs for an order -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_ORDERINPUT_H
#define WARPO_LIB_TOOLING_ORDERINPUT_H

#include "SymbolRuns.h"
#include "warpo/Tooling/ProfileInput.h"

namespace warpo {

/// What a RunReader reads from its inputs.
struct RunReading {
  /// Whether each stream of a record is a separate run.
  bool eachStream = false;
  bool wantsCosts = false;
  /// The weight of a profile to use as the cost of functions; empty: fuel if there is any,
  /// otherwise time.
  std::string cost;
  /// If not null, inputs are dumps of LLVM's order file instrumentation.
  const OrderFileMapping *llvmMapping = nullptr;
};

/// Reads records, saved profiles and LLVM's files as runs of one module. Reports damage on stderr.
class RunReader {
public:
  /// All must outlive this; `bytes` are the module's.
  RunReader(const OrderModule &module, llvm::ArrayRef<uint8_t> bytes, const ReadingOptions &options,
            const RunReading &reading)
      : module_(module), bytes_(bytes), matcher_(module), options_(options), reading_(reading) {}

  /// Adds the runs of an input, each with that weight. A run that executed nothing of the module is
  /// reported and ignored. Fails if the record belongs to another module, or this is unknown.
  llvm::Error read(llvm::StringRef input, uint64_t weight);

  llvm::ArrayRef<OrderRun> runs() const { return runs_; }
  /// Names of executed functions that were not found.
  const UnmatchedNames &unmatched() const { return unmatched_; }
  /// The number of repeated functions in LLVM's files, which are ignored.
  uint64_t repeated() const { return repeated_; }
  /// The worst result of all inputs.
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
  /// Created when LLVM's files are read.
  std::unique_ptr<SymbolIndex> symbols_;
  ToolResult result_ = ToolResult::done;
};

} // namespace warpo

#endif
