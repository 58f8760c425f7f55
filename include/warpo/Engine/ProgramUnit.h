//===- ProgramUnit.h - One module of a running program --------------------===//
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

/// A function by which a program can be entered.
struct ExportedFunction {
  std::string name;
  std::vector<ValueType> parameters;
  std::vector<ValueType> results = {};
};

/// A module of a program, and which of its host calls are recorded. Engines derive their own class,
/// with their form of the module.
class ProgramUnit {
public:
  ProgramUnit() = default;
  ProgramUnit(const ProgramUnit &) = delete;
  ProgramUnit &operator=(const ProgramUnit &) = delete;
  virtual ~ProgramUnit();

  /// The module name for imports of other modules; empty for the program itself.
  std::string name;
  std::string path;
  /// The module's id in records.
  uint64_t id = 0;
  /// Its index in the order of starting.
  size_t place = 0;
  /// The contents of `path`.
  std::unique_ptr<llvm::MemoryBuffer> file;
  /// Whether the file is a module, which is read once the unit has been made. Otherwise the engine
  /// sets the name for records, the host calls, and the exports.
  bool isModule = true;
  wasm::Module module;
  std::vector<ExportedFunction> functions;

  /// Whether it has something to record.
  bool instrumented = false;
  bool traces = false;
  bool countsFuel = false;
  /// Whether it calls enterFrame and leaveFrame. Then these, not trace points, provide the stack
  /// for samples.
  bool keepsStack = false;
  bool samples = false;
  bool reportsHeap = false;
  bool hasSections = false;
  /// The stream of its trace points and sections; null if they are not recorded.
  warpo_event_stream *events = nullptr;
  /// The unit's part of that stream, if other units share the stream.
  warpo_stack_module *stack = nullptr;

  /// Declares that the unit makes this host call.
  void add(wasm::HostCall call);
  /// Finds the module's counters, once all its host calls are known.
  void findCounters();
  /// The index of the counter's global.
  std::optional<uint32_t> indexOf(wasm::Counter counter) const {
    return counters_[size_t(counter)];
  }
  /// Whether its sections are all that is recorded of its calls.
  bool hasSectionsOnly() const { return hasSections && !traces && !samples && !reportsHeap; }

  /// The value of a counter, which is 0 before there is an instance; nothing if the unit has no
  /// such counter.
  virtual std::optional<uint64_t> counter(wasm::Counter counter) const;
  /// The unit must have the counter.
  virtual void setCounter(wasm::Counter counter, uint64_t value);
  /// The names of its functions, for records with names; by default those of the module.
  virtual std::vector<FunctionName> functionNames() const;
  /// Record a trace point; `fuel` is the fuel that the instance has used.
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
  /// The fuel that its instance has used, as counted in its stream.
  uint64_t recordedFuel() const;

private:
  std::array<std::optional<uint32_t>, 4> counters_;
};

} // namespace warpo

#endif
