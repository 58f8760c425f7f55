//===- CallTree.h - All calls, folded by their path -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A node is a calling context: a function called from its parent context. Optimized for adding
// millions of calls; further processing uses a Profile made from it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_CALLTREE_H
#define WARPO_SLICE_CALLTREE_H

#include "warpo/Slice/Event.h"
#include <optional>
#include <vector>

namespace warpo {

using NodeIndex = uint32_t;

class CallTree {
public:
  /// The host: the parent of the outermost calls, without weight of its own.
  static constexpr NodeIndex root = 0;

  struct Node {
    NodeIndex parent;
    FunctionIndex function;
    uint64_t calls;
    /// Counts of the record's clock in which this context was on top of the stack.
    uint64_t selfTime;
  };

  CallTree();

  llvm::ArrayRef<Node> nodes() const { return nodes_; }
  const Node &operator[](NodeIndex node) const { return nodes_[node]; }
  size_t size() const { return nodes_.size(); }

  /// Finds or makes the context of `function` called from `parent`. A parent's index is smaller
  /// than its children's.
  NodeIndex child(NodeIndex parent, FunctionIndex function);
  /// Finds the context; nothing if there is none.
  std::optional<NodeIndex> findChild(NodeIndex parent, FunctionIndex function) const;
  /// Saturates, because the times of several streams may add up to more.
  void addTime(NodeIndex node, uint64_t counts) {
    uint64_t &time = nodes_[node].selfTime;
    time = time + counts < counts ? UINT64_MAX : time + counts;
  }
  void addCalls(NodeIndex node, uint64_t calls) { nodes_[node].calls += calls; }

  /// Whether anything was ever added to the column; otherwise it takes no memory.
  bool hasColumn(ColumnIndex column) const { return !selfCounts_[column].empty(); }
  /// What was spent in the column while this context was on top of the stack.
  /// Saturates.
  uint64_t selfCount(NodeIndex node, ColumnIndex column) const {
    return hasColumn(column) ? selfCounts_[column][node] : 0;
  }
  void addCount(NodeIndex node, ColumnIndex column, uint64_t count);

  /// The same for samples with this context on top of the stack.
  bool hasSamples() const { return !selfSamples_.empty(); }
  uint64_t selfSamples(NodeIndex node) const {
    return selfSamples_.empty() ? 0 : selfSamples_[node];
  }
  void addSamples(NodeIndex node, uint64_t samples);

private:
  friend class CallTreeBuilder;

  size_t firstSlot(NodeIndex parent, FunctionIndex function) const {
    // Multiplies both separately, so that the function's product does not wait for the
    // parent.
    return size_t((parent * 0x9e3779b97f4a7c15u + function * 0xc2b2ae3d27d4eb4fu) >> slotShift_);
  }
  bool isChild(NodeIndex node, NodeIndex parent, FunctionIndex function) const {
    // One comparison, to avoid a second branch.
    return ((nodes_[node].parent ^ parent) | (nodes_[node].function ^ function)) == 0;
  }
  size_t slotOf(NodeIndex parent, FunctionIndex function) const;
  void grow();

  std::vector<Node> nodes_;
  /// By node; empty if unused.
  std::array<std::vector<uint64_t>, maxColumns> selfCounts_;
  std::vector<uint64_t> selfSamples_;
  /// Open addressing by (parent, function); root marks a free slot, because it is no node's child.
  /// At least half of the slots are free, on average three quarters, so the first slot is usually
  /// the right one.
  std::vector<NodeIndex> slots_;
  unsigned slotShift_;
};

/// The pseudo function for a call's wait for a task that runs within it. Its contexts are exempt
/// from all limits, because their time is the task's.
inline constexpr llvm::StringLiteral waitForTask = "(waits for a task)";

/// Limits of a call tree.
struct CallTreeOptions {
  /// Contexts beyond this number count in an `(other)` child of their parent; those of calls from
  /// the host are always kept.
  uint32_t maxContexts = 1000000;
  /// Deeper calls count in a `(deeper)` child of the last context above the limit: with endless
  /// recursion, a profile's stacks take quadratic space.
  uint32_t maxDepth = 1000;
};

/// Adds events to a call tree.
class CallTreeBuilder : public CallSink {
public:
  using Options = CallTreeOptions;

  CallTreeBuilder(FunctionTable &functions, Options options);

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  const CallTree &tree() const { return tree_; }
  /// Calls counted in an `(other)` context because the tree was full.
  uint64_t callsInOther() const { return callsInOther_; }
  /// Calls counted in a `(deeper)` context.
  uint64_t callsTooDeep() const { return callsTooDeep_; }

private:
  struct Stream {
    /// The contexts of the open calls, from the host's on; entries beyond the depth are unused.
    std::vector<NodeIndex> stack{CallTree::root};
    size_t depth = 0;
    uint64_t lastTime = 0;
    /// The last known counts of the columns, and which of them are known.
    Counts lastCounts = {};
    ColumnSet columns;
  };
  void fold(Stream &stream, llvm::ArrayRef<Event> events, const CountColumns &counts);
  template <bool saturates, size_t columns>
  void foldAs(Stream &stream, llvm::ArrayRef<Event> events, const CountColumns &counts);
  /// Whether no sum can overflow if `counts` more are added somewhere.
  bool sumsHold(uint64_t counts);
  NodeIndex enter(NodeIndex parent, FunctionIndex function);
  NodeIndex enterFullTree(NodeIndex parent, FunctionIndex function);
  NodeIndex enterTooDeep(NodeIndex parent, FunctionIndex function);
  /// Amounts before the first known `count` belong to no call.
  static void startColumn(Stream &stream, ColumnIndex column, uint64_t count);
  void addLost(Stream &stream, const LostRange &range);

  Options options_;
  CallTree tree_;
  std::vector<Stream> streams_;
  FunctionIndex otherFunction_;
  FunctionIndex deeperFunction_;
  FunctionIndex lostFunction_;
  FunctionIndex waitFunction_;
  uint64_t callsInOther_ = 0;
  uint64_t callsTooDeep_ = 0;
  /// The sum of all time added so far, a limit for each context's.
  uint64_t addedTime_ = 0;
};

} // namespace warpo

#endif
