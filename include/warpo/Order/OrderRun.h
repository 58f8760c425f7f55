//===- OrderRun.h - What one run says about the order of functions --------===//

#ifndef WARPO_ORDER_ORDERRUN_H
#define WARPO_ORDER_ORDERRUN_H

#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// What was spent in a function itself, in the unit of the run.
struct FunctionCost {
  uint32_t function;
  uint64_t calls;
  uint64_t self;
};

/// How often a function called another, or itself. Imported functions are called and call.
struct CallEdge {
  uint32_t caller;
  uint32_t callee;
  uint64_t calls;
};

/// Functions are those of an OrderModule.
struct OrderRun {
  /// For messages.
  std::string name;
  /// Counts as so many runs; at least 1.
  uint64_t weight = 1;
  /// Those with code that were executed, each once, in the order of their first executions. Empty
  /// where only sums are known.
  std::vector<uint32_t> functions;
  /// What was summed up, by rising indices; empty where nobody asked for it.
  std::vector<FunctionCost> costs;
  std::vector<CallEdge> edges;
};

} // namespace warpo

#endif
