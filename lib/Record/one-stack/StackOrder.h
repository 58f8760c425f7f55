//===- StackOrder.h - Orders simultaneous entries of a stack --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_ONE_STACK_STACKORDER_H
#define WARPO_LIB_RECORD_ONE_STACK_STACKORDER_H

#include "EntrySpool.h"
#include <set>

namespace warpo {

/// Orders the entries of several streams that have the same time, and whose order the record does
/// not state, such that calls nest. Priorities of the streams' next entries:
///
///   1. calls that end at the time they begin, if a call is open: within it
///   2. the end of the innermost call, or the trap that precedes it
///   3. any other end: its call does not nest with one that is still open
///   4. of the calls that begin here and end later, the one that ends last, together with the
///      entries before it in its stream
///
/// If several are equal, the stream that is first in the record is chosen.
class StackOrder {
public:
  /// Adds a stream whose next entry has the current time. `opens` is the end of the first call that
  /// begins among the stream's entries of this time and ends later; 0: none.
  void add(StreamIndex stream, const KeptEntry &next, uint64_t opens);
  /// Whether choose() can be called.
  bool isWaiting() const { return !ends_.empty() || !begins_.empty(); }
  /// Removes and returns the stream whose next entry comes first; add() it again if its following
  /// entry has the same time.
  StreamIndex choose();
  /// To be called with each entry passed on.
  void pass(StreamIndex stream, const KeptEntry &entry);

private:
  struct Call {
    StreamIndex stream;
    int32_t id;
  };

  OpenCalls<Call> open_;
  std::set<StreamIndex> ends_;
  /// By the time of the last end. Includes entries that neither begin nor end a call.
  std::set<std::pair<uint64_t, StreamIndex>> begins_;
  /// Those of begins_ whose next entry opens no call beyond the current time.
  std::set<std::pair<StreamIndex, uint64_t>> instants_;
};

} // namespace warpo

#endif
