//===- FunctionTotals.h - Sums per function, without contexts -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums over all calls of each function, however many calling contexts a record has. Takes
// memory for the functions and the open calls only.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_FUNCTIONTOTALS_H
#define WARPO_SLICE_FUNCTIONTOTALS_H

#include "warpo/Slice/Event.h"
#include "warpo/Support/QuantileSketch.h"
#include <vector>

namespace warpo {

/// A weight of a function, in counts.
struct FunctionWeight {
  /// Spent while it was on top of the stack.
  uint64_t self = 0;
  /// Spent while it was on the stack; recursive calls count once.
  uint64_t total = 0;
};

/// Saturating sums.
struct FunctionSums {
  FunctionWeight time;
  /// Calls of the function; `total` includes all calls made meanwhile.
  FunctionWeight calls;
  /// The number of calls that it made itself.
  uint64_t callees = 0;

  bool empty() const { return calls.self == 0; }
};

/// The distribution of a function's calls whose end is known, including recursive ones. Durations
/// are inclusive, in counts of the record's clock.
struct FunctionCalls {
  QuantileSketch durations;
  /// Saturates.
  uint64_t sum = 0;
  uint64_t longest = 0;
  /// The largest number of its calls that were open at once; 1 without recursion.
  uint32_t deepestRecursion = 0;
};

/// Expects all events of a record.
class FunctionTotals : public CallSink {
public:
  enum class Calls { summed, distributed };
  /// `functions` is the record's table and must outlive this. calls() needs `distributed`.
  FunctionTotals(FunctionTable &functions, Calls calls);

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override;

  // After finish(), by function of the table; functions added last may be missing.
  /// Lost ranges count as calls of a function `[lost]`.
  llvm::ArrayRef<FunctionSums> sums() const { return llvm::ArrayRef(sums_).drop_front(); }
  llvm::ArrayRef<FunctionCalls> calls() const { return calls_; }
  /// The functions with calls, in the order of the table.
  std::vector<FunctionIndex> called() const;
  /// Whether any stream had the column.
  bool hasColumn(ColumnIndex column) const { return columns_.contains(column); }
  FunctionWeight countOf(FunctionIndex function, ColumnIndex column) const {
    return hasColumn(column) ? counts_[column][function + 1] : FunctionWeight();
  }

private:
  struct Moment {
    uint64_t time = 0;
    /// The number of calls begun so far.
    uint64_t calls = 0;
  };
  struct OpenCall {
    FunctionIndex function;
    Moment begin;
  };
  /// The number of open calls of a function in a stream, and its maximum.
  struct Depth {
    uint32_t open = 0;
    uint32_t deepest = 0;
  };
  struct Stream {
    /// The host, the open calls, the innermost at `depth`, and then unused elements.
    std::vector<OpenCall> open = {{noFunction, {}}};
    size_t depth = 0;
    /// By column of the stream, its value when these calls began; same size as `open`.
    std::array<std::vector<uint64_t>, maxColumns> openCounts;
    /// By function; empty while nothing is open.
    std::vector<Depth> depths;
    Moment last;
    Counts lastCounts = {};
    /// The known columns.
    ColumnSet columns;
  };

  void prepare(Stream &stream);
  /// `columns` is the number of the stream's columns, all of which the batch has; maxColumns: any
  /// number, some of which may be missing from the batch.
  template <size_t columns>
  void foldAs(Stream &stream, llvm::ArrayRef<Event> events, const CountColumns &counts);
  void fold(Stream &stream, llvm::ArrayRef<Event> events, CountColumns counts);
  void addDuration(const OpenCall &call, uint64_t end, EventKind kind);
  void addLost(Stream &stream, const LostRange &range);
  void startColumn(Stream &stream, ColumnIndex column, uint64_t count);
  void release(Stream &stream);

  FunctionTable &functions_;
  bool distributes_;
  FunctionIndex lostFunction_;
  ColumnSet columns_;
  // By function + 1: the host, which is noFunction, is the first.
  std::vector<FunctionSums> sums_;
  std::array<std::vector<FunctionWeight>, maxColumns> counts_;
  std::vector<FunctionCalls> calls_;
  std::vector<Stream> streams_;
  /// Tables of streams without open calls, for reuse: there may be many short streams.
  std::vector<std::vector<Depth>> idleDepths_;
};

} // namespace warpo

#endif
