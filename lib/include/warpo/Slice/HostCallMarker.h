//===- HostCallMarker.h - Separates calls by the host from others ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_HOSTCALLMARKER_H
#define WARPO_SLICE_HOSTCALLMARKER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/Event.h"

namespace warpo {

/// Forwards events with calls by the host turned into calls of a variant of the function that the
/// table marks as entered by the host. These are the outermost calls of a stream, and those from
/// within an imported function. (For stacks of samples, the table does this.)
class HostCallMarker : public ForwardingSink {
public:
  HostCallMarker(FunctionTable &functions, EventSink &next)
      : ForwardingSink(next), functions_(functions) {}

  llvm::Error events(const EventBatch &batch) override;

private:
  FunctionIndex asHostCall(FunctionIndex function);

  FunctionTable &functions_;
  /// By stream, the open calls as forwarded.
  std::vector<std::vector<FunctionIndex>> open_;
  /// By function; noFunction: not requested yet.
  std::vector<FunctionIndex> hostCalls_;
  std::vector<Event> events_;
};

} // namespace warpo

#endif
