//===- HeapLog.h - What a program does with its heaps, recorded -----------===//
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

/// builtin.heap of all instances of a program, which have one stack.
class HeapLog {
public:
  /// `stream` may be null: then nothing is recorded. It is closed with this.
  /// See warpo_heap_sample().
  HeapLog(warpo_sample_stream *stream, uint64_t interval, uint64_t seed) : stream_(stream) {
    warpo_heap_sample(stream_, interval, seed);
  }
  HeapLog(const HeapLog &) = delete;
  HeapLog &operator=(const HeapLog &) = delete;
  ~HeapLog() { warpo_sample_stream_close(stream_); }

  /// See warpo_heap_chooses().
  bool chooses(warpo_heap_change &change) { return warpo_heap_chooses(stream_, &change); }
  /// The number of the stack that a call makes within another one, 0 being that without calls.
  uint64_t stackWithin(uint64_t around, const OpenCall &call) {
    const warpo_sample_frame frame = {call.module, call.id, nullptr};
    return warpo_heap_stack(stream_, around, &frame);
  }
  void add(const warpo_heap_change &change, uint64_t stack) {
    warpo_heap_changed(stream_, stack, &change);
  }
  /// A number for a memory or a table of a unit, by its index there. Nothing if too many have one:
  /// the event is left out. The module's code may make up any index.
  std::optional<uint32_t> numberOf(wasm::ExternalKind kind, const ProgramUnit &unit,
                                   uint32_t index);
  /// What is missing in the record, as text for people.
  std::vector<std::string> problems() const;

private:
  using PlaceNumbers = std::map<std::pair<const ProgramUnit *, uint32_t>, uint32_t>;

  warpo_sample_stream *stream_;
  PlaceNumbers memories_, tables_;
  uint64_t leftOut_ = 0;
};

} // namespace warpo

#endif
