//===- EarlierRun.h - How a run used the functions of a module ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sums by function that a record or a saved profile holds of one module, found again in the
// module as it was before instrumenting.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_TOOLING_EARLIERRUN_H
#define WARPO_LIB_TOOLING_EARLIERRUN_H

#include "warpo/Order/OrderModule.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

struct EarlierRun {
  struct Function {
    uint64_t calls = 0;
    /// Calls that it made itself.
    uint64_t callees = 0;
    /// Nanoseconds in itself, as recorded.
    double self = 0;
    /// Whether its calls would have been seen.
    bool isTraced = false;
  };

  /// Reads it from a file or from `-`, and says on stderr what was damaged. Fails for a record or a
  /// profile of another module, and where nothing says how long a count of the clock is.
  static llvm::Expected<EarlierRun> read(llvm::StringRef path, const OrderModule &module);

  /// The file's name without folders.
  std::string title;
  /// By the functions of the module.
  std::vector<Function> functions;
  /// Nanoseconds in other functions that the run had on its stacks; of samples, only while one of
  /// the module was on the stack too.
  double elsewhere = 0;
  /// Nanoseconds for which recording was switched off; they are in no other time.
  double off = 0;
  /// Whether it counts calls, and whether trace points are in its times.
  bool hasCalls = false;
  bool isProbed = false;
  /// Nanoseconds of a begin and an end in the program, and of both in a quiet loop; 0 where the run
  /// does not say what they take.
  double begin = 0;
  double end = 0;
  double statedCallCost = 0;
  /// How many times as much it may have been, at least and at most.
  double least = 1;
  double most = 1;
  ToolResult result = ToolResult::done;

  double time() const;
  uint64_t calls() const;
  /// What each function took itself without trace points, if those took so many times what they are
  /// likely to; never negative.
  std::vector<double> plainSelf(double times = 1) const;
};

} // namespace warpo

#endif
