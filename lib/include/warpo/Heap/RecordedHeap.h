//===- RecordedHeap.h - The heap events of a record, in order of time -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_HEAP_RECORDEDHEAP_H
#define WARPO_HEAP_RECORDEDHEAP_H

#include "warpo/Record/HeapEvent.h"
#include "warpo/Record/RecordBatch.h"
#include "warpo/Support/StreamSpool.h"
#include <functional>

namespace warpo {

/// Sorts the heap events of a record's streams by time: threads free what others have allocated,
/// but streams alternate in a record. At equal times the stream with the lower number comes first.
class RecordedHeap {
public:
  /// Receives some events of a stream.
  using Sink = std::function<void(StreamIndex, llvm::ArrayRef<HeapEvent>)>;

  explicit RecordedHeap(Sink sink) : sink_(std::move(sink)) {}

  /// Call before the first add() if only one stream has heap events: the sink then gets them at
  /// once.
  void expectOneStream() { waits_ = false; }

  /// Holds events in memory up to a limit, then in a temporary file: other streams may have earlier
  /// ones.
  llvm::Error add(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);
  /// Call after the last event. Passes all events to the sink.
  llvm::Error finish();

private:
  Sink sink_;
  bool waits_ = true;
  StreamSpool<HeapEvent> spool_;
  /// By stream, the number of events held.
  std::vector<uint64_t> waiting_;
};

} // namespace warpo

#endif
