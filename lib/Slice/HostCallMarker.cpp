//===- HostCallMarker.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/HostCallMarker.h"
#include "warpo/Support/SectionId.h"

using namespace llvm;
using namespace warpo;

FunctionIndex HostCallMarker::asHostCall(FunctionIndex function) {
  // Only functions are entered.
  int32_t id = functions_[function].id;
  if (id == 0 || isReserved(id))
    return function;
  if (function >= hostCalls_.size())
    hostCalls_.resize(functions_.size(), noFunction);
  FunctionIndex &known = hostCalls_[function];
  if (known == noFunction)
    known = functions_.enteredBy(CallKind::host, function);
  return known;
}

Error HostCallMarker::events(const EventBatch &batch) {
  if (batch.stream >= open_.size())
    open_.resize(batch.stream + 1);
  std::vector<FunctionIndex> &open = open_[batch.stream];
  events_.assign(batch.events.begin(), batch.events.end());
  for (Event &event : events_) {
    if (isEnd(event.kind)) {
      event.function = open.back();
      open.pop_back();
      continue;
    }
    if (open.empty() || functions_[open.back()].isImported)
      event.function = asHostCall(event.function);
    open.push_back(event.function);
  }
  EventBatch marked = batch;
  marked.events = events_;
  return next_.events(marked);
}
