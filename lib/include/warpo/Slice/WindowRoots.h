//===- WindowRoots.h - Windows of time as callers -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_WINDOWROOTS_H
#define WARPO_SLICE_WINDOWROOTS_H

#include "warpo/Record/TimeScale.h"
#include "warpo/Slice/EventColumns.h"
#include "warpo/Slice/SampleTree.h"

namespace warpo {

/// Windows of equal length in UTC, counted from 1970, so that they are the same for all records.
class UtcWindows {
public:
  /// The record must have a wall clock time. `length` is in nanoseconds, not 0.
  UtcWindows(const RecordHeader &header, TimeScale scale, uint64_t length)
      : wall_(header.wallClock), origin_(header.origin), scale_(scale), length_(length) {}

  struct Window {
    /// In UTC nanoseconds.
    uint64_t begin = 0;
    /// In counts: the first in the window, and the first behind it.
    uint64_t start = 0, end = 0;
  };
  Window at(uint64_t count) const;
  /// Converts a count of the record's clock.
  uint64_t utc(uint64_t count) const;

private:
  uint64_t firstCountAt(uint64_t utc) const;

  uint64_t wall_;
  uint64_t origin_;
  TimeScale scale_;
  uint64_t length_;
};

/// Forwards events with each call from the host within a call of a pseudo function named after the
/// begin of its window. Calls open at the end of a window end there and begin again in the next
/// one; they count in both. An end at the boundary of two windows belongs to the first, a begin to
/// the second. The values of columns at a boundary are those of the previous entry.
class WindowRoots : public ForwardingSink {
public:
  WindowRoots(const UtcWindows &windows, FunctionTable &functions, EventSink &next)
      : ForwardingSink(next), windows_(windows), functions_(functions) {}

  /// Fails if there are too many windows, or too many open calls at their ends.
  llvm::Error events(const EventBatch &batch) override;
  /// Adds samples to a tree, below the windows in which they were taken and there below a frame of
  /// `inner`, if given. Fails like events().
  llvm::Error add(llvm::ArrayRef<StackSample> samples, SampleTree &tree,
                  FunctionIndex inner = noFunction);

private:
  struct Stream {
    /// The calls open in the record.
    std::vector<FunctionIndex> open;
    UtcWindows::Window window;
    FunctionIndex frame = noFunction;
    /// The last known values of the columns, and which are known.
    Counts counts = {};
    ColumnSet columns;
  };
  const UtcWindows::Window &windowAt(uint64_t time);
  llvm::Expected<FunctionIndex> frameOf(const UtcWindows::Window &window);
  llvm::Error enter(Stream &stream, uint64_t time);
  /// Ends all open calls at the end of the window, and begins them in the next one.
  llvm::Error cross(Stream &stream, StreamIndex index);
  llvm::Error take(Stream &stream, StreamIndex index, const Event &event, const Counts &counts);
  llvm::Error take(Stream &stream, StreamIndex index, const LostRange &range);

  UtcWindows windows_;
  /// The last window requested.
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
