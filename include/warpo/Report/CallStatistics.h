//===- CallStatistics.h - How long the calls of each function took --------===//
//
// What a call tree does not tell: the distribution over single calls.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_REPORT_CALLSTATISTICS_H
#define WARPO_REPORT_CALLSTATISTICS_H

#include "warpo/Report/QuantileSketch.h"
#include "warpo/Slice/Event.h"
#include <vector>

namespace warpo {

/// Of one function, over all of its calls whose end is known, recursive ones too. Durations are
/// inclusive, in counts of the record's clock.
struct FunctionCalls {
  QuantileSketch durations;
  /// Sums stop at the largest number.
  uint64_t sum = 0;
  uint64_t longest = 0;
  /// How many calls of it were open at once, at most; 1 for a function that never calls itself.
  uint32_t deepestRecursion = 0;
};

/// Takes all events of a record. Memory for the open calls and for each function's histogram.
class CallStatistics : public EventSink {
public:
  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override;

  /// After finish(). By function of the record's FunctionTable; functions that were never called may be missing.
  llvm::ArrayRef<FunctionCalls> functions() const { return functions_; }

private:
  struct OpenCall {
    uint64_t begin;
    FunctionIndex function;
  };
  struct Depth {
    uint32_t open = 0;
    uint32_t deepest = 0;
  };
  struct Stream {
    std::vector<OpenCall> open;
    /// By function: how many calls of it are open, and were at most.
    std::vector<Depth> depths;
  };

  std::vector<FunctionCalls> functions_;
  std::vector<Stream> streams_;
};

} // namespace warpo

#endif
