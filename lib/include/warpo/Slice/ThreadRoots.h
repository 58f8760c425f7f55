//===- ThreadRoots.h - Threads as callers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_THREADROOTS_H
#define WARPO_SLICE_THREADROOTS_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventColumns.h"
#include <map>

namespace warpo {

/// A pseudo function for each thread of a record, `thread-7`, common to all its streams. In joined
/// records, threads with the same number share a frame.
class ThreadFrames {
public:
  /// The attribute of these frames, see Function.
  static constexpr llvm::StringLiteral attribute = "thread.name";

  /// Both must outlive this.
  ThreadFrames(const RecordHeader &header, FunctionTable &functions)
      : header_(header), functions_(functions) {}

  /// noFunction if the stream's thread is unknown.
  FunctionIndex of(StreamIndex stream);

private:
  const RecordHeader &header_;
  FunctionTable &functions_;
  /// By the operating system's thread number.
  std::map<uint64_t, FunctionIndex> frames_;
};

/// Forwards events with each outermost call, and each lost range outside of calls, within a call of
/// its thread's frame.
class ThreadRoots : public ForwardingSink {
public:
  /// Both must outlive this.
  ThreadRoots(ThreadFrames &frames, EventSink &next) : ForwardingSink(next), frames_(frames) {}

  llvm::Error events(const EventBatch &batch) override;

private:
  ThreadFrames &frames_;
  /// By stream, the number of open calls.
  std::vector<size_t> depths_;
  EventColumns made_;
};

} // namespace warpo

#endif
