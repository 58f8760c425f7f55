//===- HostCallMarker.h - Tells what the host calls from the rest ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_HOSTCALLMARKER_H
#define WARPO_SLICE_HOSTCALLMARKER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/Event.h"

namespace warpo {

/// Passes on events, in which calls by the host are calls of another function, which the table says
/// was entered so: the outermost calls of a stream, and those from within an imported function. The
/// calls that the host makes for itself, in streams that are its own, stay as they are. (Stacks of
/// samples have it from the table.)
class HostCallMarker : public ForwardingSink {
public:
  HostCallMarker(FunctionTable &functions, EventSink &next)
      : ForwardingSink(next), functions_(functions) {}

  llvm::Error events(const EventBatch &batch) override;

private:
  FunctionIndex asHostCall(FunctionIndex function);

  FunctionTable &functions_;
  /// Of each stream the open calls, as they were passed on.
  std::vector<std::vector<FunctionIndex>> open_;
  /// By function; noFunction: not asked for yet.
  std::vector<FunctionIndex> hostCalls_;
  std::vector<Event> events_;
};

} // namespace warpo

#endif
