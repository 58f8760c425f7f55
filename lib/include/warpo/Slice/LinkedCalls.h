//===- LinkedCalls.h - Joins calls of imports with those of their functions ===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_LINKEDCALLS_H
#define WARPO_SLICE_LINKEDCALLS_H

#include "warpo/Slice/EventColumns.h"
#include <optional>
#include <vector>

namespace warpo {

/// If a function that a module imports is bound to one of another module of the record, a call is
/// recorded twice: as one of the import, and in that as one of the function. Makes them one call of
/// the function, from the begin of the former to its end: no time is lost if the host has called.
/// Imports that are bound to other code, such as JavaScript between the modules, are not affected.
/// Costs nothing for records that declare no linked functions.
class LinkedCalls : public ForwardingSink {
public:
  LinkedCalls(const FunctionTable &functions, EventSink &next)
      : ForwardingSink(next), functions_(functions) {}

  llvm::Error events(const EventBatch &batch) override;

private:
  struct Held {
    Event event;
    Counts counts;
  };
  struct Call {
    /// As it is shown.
    FunctionIndex function;
    bool isLeftOut;
  };
  struct Stream {
    /// The begin of a call of an import, until the next event says which function it calls; behind
    /// it those of time that the recorder took meanwhile.
    std::vector<Held> held;
    /// The open calls, except of the recorder in `held`.
    std::vector<Call> open;
    /// The call in `open` whose begin is held.
    size_t outer = 0;
  };
  void release(Stream &stream);
  void append(Stream &stream, Event event, const Counts &counts);

  const FunctionTable &functions_;
  std::vector<Stream> streams_;
  EventColumns made_;
};

} // namespace warpo

#endif
