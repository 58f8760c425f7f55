//===- NestedCalls.h - The events of a thread as entries of a record ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_CHROMEFORMAT_NESTEDCALLS_H
#define WARPO_LIB_RECORD_CHROMEFORMAT_NESTEDCALLS_H

#include "TraceEvents.h"

namespace warpo {

/// A begin or an end, in the order of time.
struct CallEntry {
  int64_t time;
  /// Of the event, in the file.
  uint64_t offset;
  /// A name's number, from 1 on; negative for an end.
  int32_t id;
};

struct NestedCalls {
  std::vector<CallEntry> entries;
  /// Complete calls that were to end after the one around them, and end with it.
  uint64_t cut = 0;
};

/// Of complete calls that begin together, the longest is around the others; other events of one
/// time are in the order of the file. `unnamed` is the id of ends that neither name a call nor have
/// one that is open.
NestedCalls nestCalls(std::vector<TraceEvent> events, int32_t unnamed);

} // namespace warpo

#endif
