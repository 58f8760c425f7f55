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
  /// How long of that its stack was suspended, and how long the recorder had its thread, if that
  /// time does not count.
  uint64_t suspended = 0;
  uint64_t recording = 0;
  uint64_t calls = 0;
  FunctionIndex outermost = noFunction;
  /// From the outermost call down: each is the callee that took most of its caller's time. Ends
  /// where a caller's self time is larger.
  std::vector<FunctionIndex> hottestPath;

  uint64_t duration() const { return end - begin - suspended - recording; }
};

/// Takes all events of a record. Needs memory for `wanted` slices and for the calling contexts of
/// each open slice.
class SlowSlices : public CallSink {
public:
  /// Whether time counts while a stack is suspended.
  enum class Suspensions { counted, leftOut };
  /// `functions` is the record's table and must outlive this.
  SlowSlices(size_t wanted, const FunctionTable &functions, Suspensions suspensions)
      : wanted_(wanted), functions_(functions),
        leavesOutSuspensions_(suspensions == Suspensions::leftOut) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// The longest first; slices of equal length in the order of their begins.
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
    /// Open calls, including suspensions.
    uint64_t depth = 0;
    /// Without suspended time.
    uint64_t lastTime = 0;
    SuspendedTime suspension;
    /// Suspended time of the stack when the slice began, and how much of it was the recorder's.
    uint64_t waitedBefore = 0;
    uint64_t recordingBefore = 0;
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
  /// A heap with the shortest slice in front.
  std::vector<SlowSlice> slowest_;
};

} // namespace warpo

#endif
