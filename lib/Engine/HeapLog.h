//===- HeapLog.h - What a program does with its heaps, recorded -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_HEAPLOG_H
#define WARPO_LIB_ENGINE_HEAPLOG_H

#include "warpo/Recorder/heap_stream.h"
#include "warpo/Sampling/OpenCalls.h"
#include "llvm/ADT/ArrayRef.h"

namespace warpo {

/// builtin.heap of all instances of a program, which have one stack.
class HeapLog {
public:
  /// `stream` may be null: then nothing is recorded. It is closed with this.
  explicit HeapLog(warpo_sample_stream *stream) : stream_(stream) {}
  HeapLog(const HeapLog &) = delete;
  HeapLog &operator=(const HeapLog &) = delete;
  ~HeapLog() { warpo_sample_stream_close(stream_); }

  /// `calls` are the open ones, innermost first.
  void add(const warpo_heap_change &change, llvm::ArrayRef<OpenCall> calls);

private:
  struct Frame {
    OpenCall call;
    uint64_t stack;
  };

  warpo_sample_stream *stream_;
  /// The stack of the event before, outermost first: most of the next one's is the same.
  std::vector<Frame> frames_;
};

} // namespace warpo

#endif
