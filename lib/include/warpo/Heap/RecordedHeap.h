//===- RecordedHeap.h - The heaps of a record, in the order of time -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_HEAP_RECORDEDHEAP_H
#define WARPO_HEAP_RECORDEDHEAP_H

#include "warpo/Record/HeapEvent.h"
#include "warpo/Record/RecordBatch.h"
#include "warpo/Support/StreamSpool.h"
#include <functional>

namespace warpo {

/// Puts the heap events of a record's streams in the order of time: threads free what others have
/// allocated, and a record has the events of each by turns. Of equal times the earlier stream comes
/// first.
class RecordedHeap {
public:
  /// Takes some events of a stream.
  using Sink = std::function<void(StreamIndex, llvm::ArrayRef<HeapEvent>)>;

  explicit RecordedHeap(Sink sink) : sink_(std::move(sink)) {}

  /// Before the first add(): only one stream has such events, and the sink gets them as they come.
  void expectOneStream() { waits_ = false; }

  /// Events wait, in memory up to a limit, then in a temporary file: other streams may have earlier
  /// ones.
  llvm::Error add(StreamIndex stream, llvm::ArrayRef<HeapEvent> events);
  /// There are no more events: gives the sink all of them.
  llvm::Error finish();

private:
  Sink sink_;
  bool waits_ = true;
  StreamSpool<HeapEvent> spool_;
  /// How many wait, by stream.
  std::vector<uint64_t> waiting_;
};

} // namespace warpo

#endif
