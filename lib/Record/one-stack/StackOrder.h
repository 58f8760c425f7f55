//===- StackOrder.h - Which entry comes next on a stack -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_ONE_STACK_STACKORDER_H
#define WARPO_LIB_RECORD_ONE_STACK_STACKORDER_H

#include "EntrySpool.h"
#include <set>

namespace warpo {

/// Decides in which order the entries of several streams come that have one time and whose order
/// the record does not tell, so that calls nest. By which of the streams' next entries that is:
///
///   1. calls that end at the time that they begin, if they find a call open: within it
///   2. the end of the innermost call, or the trap that says how it ended
///   3. any other end: its call does not nest with one that is open still
///   4. of the calls that begin here and end later, the one that ends last; what its stream has
///      before it, too
///
/// Where these leave a choice, the stream comes first that came first in the record.
class StackOrder {
public:
  /// The next entry of a stream is of the present time. `opens` is when the first call ends that
  /// begins among the stream's entries of this time and ends later; 0: there is none.
  void add(StreamIndex stream, const KeptEntry &next, uint64_t opens);
  /// Whether streams are left to choose() from.
  bool isWaiting() const { return !ends_.empty() || !begins_.empty(); }
  /// The stream whose next entry comes first; it must be add()ed again if its next one is of the
  /// same time.
  StreamIndex choose();
  /// The entry has come.
  void pass(StreamIndex stream, const KeptEntry &entry);

private:
  struct Call {
    StreamIndex stream;
    int32_t id;
  };

  OpenCalls<Call> open_;
  std::set<StreamIndex> ends_;
  /// By what ends last. What neither begins nor ends a call is among them.
  std::set<std::pair<uint64_t, StreamIndex>> begins_;
  /// Those of begins_ whose next entry opens nothing beyond the present time.
  std::set<std::pair<StreamIndex, uint64_t>> instants_;
};

} // namespace warpo

#endif
