//===- NestedCalls.h - Converts a thread's events to entries --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_CHROMEFORMAT_NESTEDCALLS_H
#define WARPO_LIB_RECORD_CHROMEFORMAT_NESTEDCALLS_H

#include "TraceEvents.h"

namespace warpo {

/// A begin or an end.
struct CallEntry {
  int64_t time;
  /// The event's position in the file.
  uint64_t offset;
  /// The number of the name, from 1 on; negative for an end.
  int32_t id;
};

struct NestedCalls {
  std::vector<CallEntry> entries;
  /// The number of complete calls whose end was moved to that of the call around them.
  uint64_t cut = 0;
};

/// Makes entries in order of time. Of complete calls that begin together, the longest is around the
/// others; other simultaneous events are in the file's order. `unnamed` is the id for ends that
/// name no call while none is open.
NestedCalls nestCalls(std::vector<TraceEvent> events, int32_t unnamed);

} // namespace warpo

#endif
