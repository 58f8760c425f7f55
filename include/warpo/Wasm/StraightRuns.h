//===- StraightRuns.h - Where code goes on only behind itself -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A straight run is code that is passed from its beginning to its end or not at all, but for traps,
// exceptions and calls that do not return. It ends behind every instruction that may go on
// elsewhere (br, br_if, br_table, br_on_*, return, tail calls, if, else, throw, rethrow,
// unreachable, resume) and before every place where something else arrives: behind the `end` of a
// block that a branch or another of its parts reaches, behind the `loop` that a branch goes back
// to, at each handler of exceptions. The beginning of a block, an `end` that no branch reaches and
// a call end no run.
//
// Code that nothing reaches, from an instruction that never goes on to the next `end`, `else` or
// handler, belongs to no run, and its branches reach nothing.
//
// An `else` is passed by what comes out of the part before it, `catch` and `catch_all` by the
// exception that arrives; a branch arrives behind the `end` or the `loop` of its label.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_STRAIGHTRUNS_H
#define WARPO_WASM_STRAIGHTRUNS_H

#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/FuelCosts.h"
#include <vector>

namespace warpo::wasm {

/// Where a run begins, seen from the function.
enum class RunPlace : uint8_t { entry, loopHead, elsewhere };

struct StraightRun {
  /// Its first instruction. Where it ends shows only in what it costs.
  const uint8_t *begin = nullptr;
  /// Of all its instructions together.
  uint64_t cost = 0;
  RunPlace place = RunPlace::entry;
};

/// Finds the runs of functions, one function after another.
class StraightRunFinder {
public:
  /// `costs` must outlive it.
  explicit StraightRunFinder(const FuelCosts &costs) : costs_(costs) {}

  /// The runs of the code from the cursor on, in its order: that of the entry, those of loops that
  /// are gone back to, and the others that cost anything. Where the code cannot be read the cursor
  /// fails, and the runs are of no use. Valid until the next call.
  const std::vector<StraightRun> &find(ByteCursor &cursor);

private:
  /// A block that is open, or the function.
  struct Frame {
    /// The run at the head of a loop that can be reached; `noRun` for anything else.
    uint32_t loopRun;
    /// Whether its beginning can be reached.
    bool entered;
    /// Whether anything but what comes before it arrives at its label.
    bool isTarget;
    /// Of an `if` without `else` so far: where the condition is false its end is reached.
    bool mayBeSkipped;
  };
  static constexpr uint32_t noRun = UINT32_MAX;

  void visit(const Instruction &instruction);
  void open(const Instruction &instruction);
  void nextPart(const Instruction &instruction);
  void close(const Instruction &instruction);
  void beginRun(const uint8_t *begin, RunPlace place);
  void branch();
  void collect();

  const FuelCosts &costs_;
  std::vector<Frame> frames_;
  /// While a function is read: those without a beginning are part of the run before them.
  std::vector<StraightRun> runs_;
  llvm::SmallVector<uint32_t, 8> labels_;
  /// Whether the next instruction can be reached; if so it belongs to the last run.
  bool reached_ = true;
};

} // namespace warpo::wasm

#endif
