//===- StraightRuns.h - Code without branches in or out -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A straight run is code that is executed from its begin to its end or not at all, except for
// traps, exceptions and calls that do not return. It ends behind every instruction that may
// continue elsewhere (br, br_if, br_table, br_on_*, return, tail calls, if, else, throw, rethrow,
// unreachable, resume) and before every place that is reached from elsewhere: behind the `end` of a
// block that a branch or another of its parts reaches, behind a `loop` with a back edge, and at
// each exception handler. The begin of a block, an `end` that no branch reaches and a call do not
// end a run.
//
// Unreachable code, from an instruction that never continues behind itself up to the next `end`,
// `else` or handler, belongs to no run, and its branches do not count.
//
// An `else` is executed at the end of the part before it, `catch` and `catch_all` when an exception
// arrives. A branch arrives behind the `end` or the `loop` of its label.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_STRAIGHTRUNS_H
#define WARPO_WASM_STRAIGHTRUNS_H

#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/FuelCosts.h"
#include <vector>

namespace warpo::wasm {

/// Where in the function a run begins.
enum class RunPlace : uint8_t { entry, loopHead, elsewhere };

struct StraightRun {
  /// Its first instruction. Its end is not recorded, only its cost.
  const uint8_t *begin = nullptr;
  /// The sum of the costs of its instructions.
  uint64_t cost = 0;
  RunPlace place = RunPlace::entry;
};

class StraightRunFinder {
public:
  /// `costs` must outlive it.
  explicit StraightRunFinder(const FuelCosts &costs) : costs_(costs) {}

  /// Returns the runs of the code from the cursor on, in code order: that of the entry, those of
  /// loops with a back edge, and others that have a cost. If the code cannot be read, the cursor
  /// fails and the runs are meaningless. Valid until the next call.
  const std::vector<StraightRun> &find(ByteCursor &cursor);

private:
  /// An open block, or the function.
  struct Frame {
    /// The run at the head of a reachable loop; `noRun` for anything else.
    uint32_t loopRun;
    /// Whether its begin is reachable.
    bool entered;
    /// Whether its label is reached other than by falling through.
    bool isTarget;
    /// Whether it is an `if` without an `else` so far: its end is reached if the condition is
    /// false.
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
  /// While a function is read, a run without `begin` belongs to the run before it.
  std::vector<StraightRun> runs_;
  llvm::SmallVector<uint32_t, 8> labels_;
  /// Whether the next instruction is reachable; if so, it belongs to the last run.
  bool reached_ = true;
};

} // namespace warpo::wasm

#endif
