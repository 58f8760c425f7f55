//===- WindowRoots.h - Calls and samples below their windows of time ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_WINDOWROOTS_H
#define WARPO_SLICE_WINDOWROOTS_H

#include "warpo/Record/TimeScale.h"
#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/SampleTree.h"

namespace warpo {

/// Windows of equal length in UTC, from 1970 on: those of all records are the same.
class UtcWindows {
public:
  /// For a record that says when it was made. `length` is in nanoseconds, not 0.
  UtcWindows(const RecordHeader &header, TimeScale scale, uint64_t length)
      : wall_(header.wallClock), origin_(header.origin), scale_(scale), length_(length) {}

  struct Window {
    /// In UTC nanoseconds.
    uint64_t begin = 0;
    /// In counts: the first in it, and the first that is behind it.
    uint64_t start = 0, end = 0;
  };
  Window at(uint64_t count) const;
  /// Of a count of the record's clock.
  uint64_t utc(uint64_t count) const;

private:
  uint64_t firstCountAt(uint64_t utc) const;

  uint64_t wall_;
  uint64_t origin_;
  TimeScale scale_;
  uint64_t length_;
};

/// Hands on events so that each call from the host lies within a call of the pseudo function that
/// has its window's begin as a name. Calls that are open where a window ends are ended there, and
/// begun in the next one; they count in both. What ends where a window does belongs to that window,
/// what begins there to the next. What was spent by then of columns is taken from the entry before.
class WindowRoots : public ForwardingSink {
public:
  WindowRoots(const UtcWindows &windows, FunctionTable &functions, EventSink &next)
      : ForwardingSink(next), windows_(windows), functions_(functions) {}

  /// Fails where there are too many windows, or too many open calls at their ends.
  llvm::Error events(const EventBatch &batch) override;
  /// Gives samples to a tree below the windows in which they were taken, and there below a frame of
  /// `inner`, if there is one. Fails as events() does.
  llvm::Error add(llvm::ArrayRef<StackSample> samples, SampleTree &tree,
                  FunctionIndex inner = noFunction);

private:
  struct Stream {
    /// The calls open in the record.
    std::vector<FunctionIndex> open;
    UtcWindows::Window window;
    FunctionIndex frame = noFunction;
    /// What the columns are known to stand at, and which are known.
    Counts counts = {};
    ColumnSet columns;
  };
  const UtcWindows::Window &windowAt(uint64_t time);
  llvm::Expected<FunctionIndex> frameOf(const UtcWindows::Window &window);
  llvm::Error enter(Stream &stream, uint64_t time);
  /// Ends all that is open where the window does, and begins it in the one behind.
  llvm::Error cross(Stream &stream, StreamIndex index);
  llvm::Error take(Stream &stream, StreamIndex index, const Event &event, const Counts &counts);
  llvm::Error take(Stream &stream, StreamIndex index, const LostRange &range);

  UtcWindows windows_;
  /// The last one that was asked for.
  UtcWindows::Window window_;
  FunctionTable &functions_;
  std::vector<Stream> streams_;
  uint64_t lastWindow_ = 0;
  FunctionIndex lastFrame_ = noFunction;
  size_t windowCount_ = 0;
  uint64_t cutCalls_ = 0;
  EventColumns made_;
};

} // namespace warpo

#endif
