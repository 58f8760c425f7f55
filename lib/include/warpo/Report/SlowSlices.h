//===- SlowSlices.h - The slices that took longest ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REPORT_SLOWSLICES_H
#define WARPO_REPORT_SLOWSLICES_H

#include "warpo/Slice/SuspendedTime.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace warpo {

/// A complete call from the host.
struct SlowSlice {
  /// From 1, in the order in which slices begin in the record, as --slices counts.
  uint64_t number = 0;
  StreamIndex stream = 0;
  /// Counts of the record's clock.
  uint64_t begin = 0;
  uint64_t end = 0;
  /// Of that time, what its stack waited and does not count.
  uint64_t suspended = 0;
  uint64_t calls = 0;
  FunctionIndex outermost = noFunction;
  /// From the outermost call down, each the callee that took most of its caller's time, as long as
  /// that is more than the caller's own.
  std::vector<FunctionIndex> hottestPath;

  uint64_t duration() const { return end - begin - suspended; }
};

/// Takes all events of a record. Memory for `wanted` slices and, of each open one, its calling
/// contexts.
class SlowSlices : public CallSink {
public:
  /// Whether the time counts in which stacks were suspended.
  enum class Suspensions { counted, leftOut };
  /// `functions`: of the record; outlives this.
  SlowSlices(size_t wanted, const FunctionTable &functions, Suspensions suspensions)
      : wanted_(wanted), functions_(functions),
        leavesOutSuspensions_(suspensions == Suspensions::leftOut) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// The longest first; those that are equally long in the order of their beginning.
  std::vector<SlowSlice> take();

private:
  struct Context {
    uint32_t parent;
    FunctionIndex function;
    uint64_t self;
  };
  struct Stream {
    SlowSlice slice;
    std::vector<Context> contexts;
    llvm::DenseMap<std::pair<uint32_t, FunctionIndex>, uint32_t> children;
    uint32_t current = 0;
    /// How many calls are open, suspensions included.
    uint64_t depth = 0;
    /// Without what it has waited.
    uint64_t lastTime = 0;
    SuspendedTime suspension;
    /// What it had waited when the slice began.
    uint64_t waitedBefore = 0;
  };

  void begin(Stream &stream, const Event &event, bool ran);
  void end(Stream &stream, const Event &event, bool ran);
  void finish(Stream &stream, uint64_t time);
  static std::vector<FunctionIndex> hottestPath(llvm::ArrayRef<Context> contexts);

  size_t wanted_;
  const FunctionTable &functions_;
  bool leavesOutSuspensions_;
  uint64_t slices_ = 0;
  std::vector<Stream> streams_;
  /// A heap with the shortest in front.
  std::vector<SlowSlice> slowest_;
};

} // namespace warpo

#endif
