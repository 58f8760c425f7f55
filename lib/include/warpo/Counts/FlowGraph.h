//===- FlowGraph.h - Straight runs and the ways between them --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Straight runs as StraightRuns.h has them, with two differences: those that cost nothing are there
// too, and a call, or a switch to another stack, ends a run where an exception from it may arrive
// in the same function (in the body of a `try` or `try_table`) or, if wanted, everywhere.
//
// All that enters or leaves the function goes from and to its outside: calls of it, returns, tail
// calls, `unreachable`, exceptions. An exception goes outside, and arrives at a handler from
// outside, also where both are in one function: so no handler has to be matched with what it
// catches.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_FLOWGRAPH_H
#define WARPO_COUNTS_FLOWGRAPH_H

#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/FuelCosts.h"
#include "warpo/Wasm/Module.h"
#include <array>
#include <optional>
#include <vector>

namespace warpo {

/// Offsets count from the first byte of the body's local declarations.
struct FlowRun {
  /// Its first instruction, and where the code that belongs to it ends.
  uint32_t begin = 0;
  uint32_t end = 0;
  /// Of all its instructions together.
  uint64_t cost = 0;
  /// How many loops are around it.
  uint32_t loopDepth = 0;
  /// Whether its last instruction traps or throws.
  bool endsBadly = false;
};

/// A way from one run to another, or from or to `outside`.
struct FlowEdge {
  static constexpr uint32_t outside = UINT32_MAX;

  uint32_t from = outside;
  uint32_t to = outside;
};

/// An instruction at which calls of the function were left, although code usually goes on behind
/// it. Its run ends there.
struct LeftAt {
  /// Of the instruction.
  uint32_t offset = 0;
  /// The way outside.
  uint32_t edge = 0;
};

/// An instruction that goes on at one of several places.
struct FlowBranch {
  /// Of the instruction.
  uint32_t offset = 0;
  /// The run that it ends.
  uint32_t run = 0;
  /// The ways from it, as numbers of edges: of `if`, `br_if` and `br_on_*`, first where it branches
  /// (an `if`: where the condition holds), then where it does not. Of `br_table` one for each
  /// place, in the order of its labels.
  llvm::SmallVector<uint32_t, 2> arms;
  /// Of `br_table`: the arm of each label, that of the default last. Else empty.
  std::vector<uint32_t> armOfLabel;
  /// Of `br_table`: whether its labels are known to take no values. Then code can be inserted on
  /// the way to one of them.
  bool takesNoValues = false;

  bool isTable() const { return !armOfLabel.empty(); }
};

/// The arm of each label of a `br_table`: they are numbered in the order of their first labels.
std::vector<uint32_t> armsOfTable(llvm::ArrayRef<uint32_t> labels);

struct FlowGraph {
  /// In the order of the code; the first is that of the entry, to which no edge leads.
  std::vector<FlowRun> runs;
  std::vector<FlowEdge> edges;
  std::vector<FlowBranch> branches;
  std::vector<LeftAt> left;
  /// Requested places without a reachable instruction.
  std::vector<uint32_t> misplaced;
  /// The number of reachable calls.
  uint32_t calls = 0;
  /// The first call, if each execution of the function makes it and its exceptions leave the
  /// function: the offset of the instruction.
  std::optional<uint32_t> certainCall;
  /// The runs that end by throwing where the function itself catches nothing.
  std::vector<uint32_t> throwing;
  /// Whether code that can be reached throws, wherever it stands.
  bool throws = false;
  /// Those of all code, whether it can be reached or not: wasm::code_traits.
  uint8_t traits = 0;
  /// Greater than the index of each function that an instruction names.
  uint64_t namedFunctions = 0;
  /// Whether no bytes follow the function's `end`.
  bool isWhole = true;
};

/// Finds the graphs of functions, one function after another.
class FlowGraphFinder {
public:
  /// `costs` must outlive it.
  explicit FlowGraphFinder(const wasm::FuelCosts &costs, bool callsEndRuns = false);

  /// The graph of a body; valid until the next call. `leftAt` are the offsets of instructions,
  /// rising. Instructions at which the graph leaves the function anyway get no LeftAt, nor do
  /// offsets before the first instruction. Errors have the place in `fileName`.
  llvm::Expected<const FlowGraph &> find(const wasm::ByteRange &body, llvm::StringRef fileName,
                                         llvm::ArrayRef<uint32_t> leftAt = {});

private:
  static constexpr uint32_t none = UINT32_MAX;

  /// A block that is open, or the function.
  struct Frame {
    /// Of a loop that can be reached: the run at its head, and the edge that enters it.
    uint32_t loopRun = none;
    uint32_t loopEdge = none;
    /// The last of the edges that lead behind the block; each has the one before in `to`.
    uint32_t arriving = none;
    /// Of an `if` without `else` so far: the edge for a condition that does not hold.
    uint32_t skipping = none;
    bool entered = false;
    /// Whether its label is known to take no values.
    bool takesNoValues = false;
    /// Whether anything goes back to the loop.
    bool isRepeated = false;
    /// Whether exceptions from inside may arrive in this function.
    bool protects = false;
  };

  uint32_t beginRun(const uint8_t *begin);
  void addToRun(const uint8_t *end, uint64_t cost);
  uint32_t addEdge(uint32_t from, uint32_t to);
  uint32_t arriveAt(Frame &frame, uint32_t from);
  uint32_t arriveAtLabel(uint32_t label, uint32_t from);
  void continueIn(const uint8_t *begin);
  FlowBranch &addBranch(const wasm::Instruction &instruction);

  void leaveAt(const wasm::Instruction &instruction, bool isAnyway);
  bool takeLeftAt(uint32_t offset);
  void visit(const wasm::Instruction &instruction);
  void open(const wasm::Instruction &instruction);
  void nextPart(const wasm::Instruction &instruction);
  void close(const wasm::Instruction &instruction);
  void branch(const wasm::Instruction &instruction);
  void leave(const wasm::Instruction &instruction);
  void table(const wasm::Instruction &instruction);
  void passPlain(const wasm::Instruction &instruction);
  void joinLoops();

  /// Whether an exception from a call is a way out of the run that made the call.
  bool exceptionsMatter() const { return callsEndRuns_ || protecting_; }
  uint32_t current() const { return uint32_t(graph_.runs.size() - 1); }
  uint32_t offsetOf(const uint8_t *place) const { return uint32_t(place - body_); }

  const wasm::FuelCosts &costs_;
  /// Of opcodes whose instructions only belong to their run, and have no traits.
  wasm::PassedForms passedForms_;
  /// By the first byte of the opcode.
  std::array<bool, 256> onlyBelongsToRuns_;
  bool callsEndRuns_;
  FlowGraph graph_;
  std::vector<Frame> frames_;
  llvm::SmallVector<uint32_t, 8> labels_;
  /// The runs and edges of loops to which nothing goes back; they are removed at the end.
  std::vector<uint32_t> falseHeads_;
  std::vector<uint32_t> falseEdges_;
  /// The places still to come.
  llvm::ArrayRef<uint32_t> leftAt_;
  const uint8_t *body_ = nullptr;
  uint32_t loopDepth_ = 0;
  uint32_t protecting_ = 0;
  bool reached_ = true;
  /// Whether the instruction is one of those places.
  bool isLeft_ = false;
};

} // namespace warpo

#endif
