//===- ProgramUnit.h - One module of a program that runs ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_ENGINE_PROGRAMUNIT_H
#define WARPO_ENGINE_PROGRAMUNIT_H

#include "warpo/Engine/Engine.h"
#include "warpo/Recorder/stack_module.h"
#include "warpo/Sampling/TracedNames.h"
#include "warpo/Wasm/Counters.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/Support/MemoryBuffer.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// A function that a program may be entered by.
struct ExportedFunction {
  std::string name;
  std::vector<ValueType> parameters;
  std::vector<ValueType> results = {};
};

/// A module of a program, and which of its calls of the host are recorded. An engine derives its
/// own from this, with what it makes of the module.
class ProgramUnit {
public:
  ProgramUnit() = default;
  ProgramUnit(const ProgramUnit &) = delete;
  ProgramUnit &operator=(const ProgramUnit &) = delete;
  virtual ~ProgramUnit();

  /// The module name by which others import from it; empty for the program itself.
  std::string name;
  std::string path;
  /// The module's identifier in records.
  uint64_t id = 0;
  /// Its index in the order of starting.
  size_t place = 0;
  /// The contents of `path`.
  std::unique_ptr<llvm::MemoryBuffer> file;
  /// The file is a module, which is read once the unit has been made. Else the engine says by
  /// itself what the unit is called in records, calls of its host, and exports.
  bool isModule = true;
  wasm::Module module;
  std::vector<ExportedFunction> functions;

  /// It has something to record.
  bool instrumented = false;
  bool traces = false;
  bool countsFuel = false;
  /// Calls enterFrame and leaveFrame, which tell the stack of its samples: trace points do not.
  bool keepsStack = false;
  bool samples = false;
  bool tellsHeap = false;
  bool hasSections = false;
  /// Where its trace points and sections are recorded; null if they are not.
  warpo_event_stream *events = nullptr;
  /// Where other units record too: the unit's part in that stream.
  warpo_stack_module *stack = nullptr;

  /// The unit makes such calls.
  void add(wasm::HostCall call);
  /// Finds the module's counters, once all its calls are known.
  void findCounters();
  /// The global that is a counter of the module.
  std::optional<uint32_t> indexOf(wasm::Counter counter) const {
    return counters_[size_t(counter)];
  }
  /// Whether its sections are all that is recorded of its calls.
  bool hasSectionsOnly() const { return hasSections && !traces && !samples && !tellsHeap; }

  /// The value of a counter, 0 before there is an instance; nothing if the unit has no such
  /// counter.
  virtual std::optional<uint64_t> counter(wasm::Counter counter) const;
  /// Of a counter that it has.
  virtual void setCounter(wasm::Counter counter, uint64_t value);
  /// The names of its functions, for records that hold names; those of the module by default.
  virtual std::vector<FunctionName> functionNames() const;
  /// Records that it reached such a trace point; `fuel` is what its instance has burnt.
  void record(int32_t id) const {
    if (stack)
      warpo_trace_stack_event(stack, id);
    else
      warpo_trace_event(events, id);
  }
  void record(int32_t id, uint64_t fuel, bool isTimeless) const {
    if (stack)
      warpo_trace_stack_event_fuel(stack, id, fuel);
    else if (!isTimeless)
      warpo_trace_event_fuel(events, id, fuel);
    else if (events)
      warpo_trace_event_fuel_at(events, /*now=*/0, id, fuel);
  }
  /// What its instance has burnt, as its stream counts it.
  uint64_t recordedFuel() const;

private:
  std::array<std::optional<uint32_t>, 4> counters_;
};

} // namespace warpo

#endif
