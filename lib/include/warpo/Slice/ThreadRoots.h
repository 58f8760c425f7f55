//===- ThreadRoots.h - Calls of the host, called by their thread ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_THREADROOTS_H
#define WARPO_SLICE_THREADROOTS_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventColumns.h"
#include <map>

namespace warpo {

/// A pseudo function for each thread of a record, `thread-7`: of several streams of one thread the
/// same. In joined records, threads of the same number share a frame.
class ThreadFrames {
public:
  /// Of these frames, see Function.
  static constexpr llvm::StringLiteral attribute = "thread.name";

  /// Both outlive this.
  ThreadFrames(const RecordHeader &header, FunctionTable &functions)
      : header_(header), functions_(functions) {}

  /// noFunction where the record does not say which thread it was.
  FunctionIndex of(StreamIndex stream);

private:
  const RecordHeader &header_;
  FunctionTable &functions_;
  /// By the operating system's number.
  std::map<uint64_t, FunctionIndex> frames_;
};

/// Hands on events with each outermost call, and each loss outside of calls, within a call of its
/// thread's frame.
class ThreadRoots : public ForwardingSink {
public:
  /// Both outlive this.
  ThreadRoots(ThreadFrames &frames, EventSink &next) : ForwardingSink(next), frames_(frames) {}

  llvm::Error events(const EventBatch &batch) override;

private:
  ThreadFrames &frames_;
  /// Of each stream, how many calls are open.
  std::vector<size_t> depths_;
  EventColumns made_;
};

} // namespace warpo

#endif
