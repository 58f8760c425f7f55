//===- HeapLog.h - Records a program's heap events ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_HEAPLOG_H
#define WARPO_LIB_ENGINE_HEAPLOG_H

#include "warpo/Recorder/heap_stream.h"
#include "warpo/Sampling/OpenCalls.h"
#include "warpo/Wasm/Module.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

class ProgramUnit;

/// Records the calls of builtin.heap of all instances of a program, which share one stack.
class HeapLog {
public:
  /// Takes ownership of `stream`, which may be null: then nothing is recorded. See
  /// warpo_heap_sample().
  HeapLog(warpo_sample_stream *stream, uint64_t interval, uint64_t seed) : stream_(stream) {
    warpo_heap_sample(stream_, interval, seed);
  }
  HeapLog(const HeapLog &) = delete;
  HeapLog &operator=(const HeapLog &) = delete;
  ~HeapLog() { warpo_sample_stream_close(stream_); }

  /// See warpo_heap_chooses().
  bool chooses(warpo_heap_change &change) { return warpo_heap_chooses(stream_, &change); }
  /// The number of the stack that consists of the stack `around` and a call. 0 is the stack without
  /// calls.
  uint64_t stackWithin(uint64_t around, const OpenCall &call) {
    const warpo_sample_frame frame = {call.module, call.id, nullptr};
    return warpo_heap_stack(stream_, around, &frame);
  }
  void add(const warpo_heap_change &change, uint64_t stack) {
    warpo_heap_changed(stream_, stack, &change);
  }
  /// The number of a memory or table of a unit, by its index there. Nothing if there are too many,
  /// as a module can make up any index: then the event is left out.
  std::optional<uint32_t> numberOf(wasm::ExternalKind kind, const ProgramUnit &unit,
                                   uint32_t index);
  /// Messages for the user about missing parts of the record.
  std::vector<std::string> problems() const;

private:
  using PlaceNumbers = std::map<std::pair<const ProgramUnit *, uint32_t>, uint32_t>;

  warpo_sample_stream *stream_;
  PlaceNumbers memories_, tables_;
  uint64_t leftOut_ = 0;
};

} // namespace warpo

#endif
