//===- FunctionTotals.h - What each function took, without contexts -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Exact sums over all calls of each function, however many calling contexts a record has. Memory is
// that of the functions and of the open calls.
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
  /// While it was on top of the stack.
  uint64_t self = 0;
  /// While it was open: what it calls itself counts once.
  uint64_t total = 0;
};

/// Sums stop at the largest number.
struct FunctionSums {
  FunctionWeight time;
  /// How often it was called, and with all calls that were made meanwhile.
  FunctionWeight calls;
  /// How many calls it made itself.
  uint64_t callees = 0;

  bool empty() const { return calls.self == 0; }
};

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

/// Takes all events of a record.
class FunctionTotals : public CallSink {
public:
  enum class Calls { summed, distributed };
  /// The table of the record's functions, which must outlive this. Only if calls are `distributed`
  /// is anything known of single ones.
  FunctionTotals(FunctionTable &functions, Calls calls);

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override;

  // After finish(), by function of the table; those that were met last may be missing.
  /// What was lost counts as calls of a function `[lost]`.
  llvm::ArrayRef<FunctionSums> sums() const { return llvm::ArrayRef(sums_).drop_front(); }
  llvm::ArrayRef<FunctionCalls> calls() const { return calls_; }
  /// The functions with calls, in the order of the table.
  std::vector<FunctionIndex> called() const;
  /// Whether anything of the column was ever known.
  bool hasColumn(ColumnIndex column) const { return columns_.contains(column); }
  FunctionWeight countOf(FunctionIndex function, ColumnIndex column) const {
    return hasColumn(column) ? counts_[column][function + 1] : FunctionWeight();
  }

private:
  struct Moment {
    uint64_t time = 0;
    /// Calls that had begun.
    uint64_t calls = 0;
  };
  struct OpenCall {
    FunctionIndex function;
    Moment begin;
  };
  /// How many calls of a function are open in a stream, and were at most.
  struct Depth {
    uint32_t open = 0;
    uint32_t deepest = 0;
  };
  struct Stream {
    /// The host, then the open calls, the innermost at `depth`, then room.
    std::vector<OpenCall> open = {{noFunction, {}}};
    size_t depth = 0;
    /// By column of the stream, what that stood at when they began; with the same room.
    std::array<std::vector<uint64_t>, maxColumns> openCounts;
    /// By function; empty while nothing is open.
    std::vector<Depth> depths;
    Moment last;
    Counts lastCounts = {};
    /// Those that are known.
    ColumnSet columns;
  };

  void prepare(Stream &stream);
  /// `columns` is how many the stream has, all of them in the batch; maxColumns stands for any
  /// number, some of them.
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
  // By function + 1: the host, which is noFunction, comes first.
  std::vector<FunctionSums> sums_;
  std::array<std::vector<FunctionWeight>, maxColumns> counts_;
  std::vector<FunctionCalls> calls_;
  std::vector<Stream> streams_;
  /// Tables of streams without open calls, so that those of many short streams are few.
  std::vector<std::vector<Depth>> idleDepths_;
};

} // namespace warpo

#endif
