//===- EarlierRun.h - A module's functions in an earlier run --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sums by function for one module in a record or a saved profile, assigned to functions of the
// original module.
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
    /// Calls that it made directly.
    uint64_t callees = 0;
    /// Self time in nanoseconds, as recorded.
    double self = 0;
    /// Whether its calls would have been recorded.
    bool isTraced = false;
  };

  /// Reads a file or `-`, and reports damage on stderr. Fails for a record or a profile of another
  /// module, and if the duration of a count of the clock is unknown.
  static llvm::Expected<EarlierRun> read(llvm::StringRef path, const OrderModule &module);

  /// The file's name without folders.
  std::string title;
  /// By the functions of the module.
  std::vector<Function> functions;
  /// Nanoseconds in other functions; for samples, only while a function of the module was on the
  /// stack.
  double elsewhere = 0;
  /// Nanoseconds for which recording was switched off; not included in other times.
  double off = 0;
  /// Whether calls are counted, and whether times include trace points.
  bool hasCalls = false;
  bool isProbed = false;
  /// Nanoseconds of a begin and an end in the program, and of both in a quiet loop; 0 if the run
  /// does not state them.
  double begin = 0;
  double end = 0;
  double statedCallCost = 0;
  /// The minimum and maximum of the true cost, as multiples of this.
  double least = 1;
  double most = 1;
  ToolResult result = ToolResult::done;

  double time() const;
  uint64_t calls() const;
  /// By function, the self time without trace points if these took `times` their likely cost; never
  /// negative.
  std::vector<double> plainSelf(double times = 1) const;
};

} // namespace warpo

#endif
