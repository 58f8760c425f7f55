//===- Instrumentation.h - What to insert into a module -------------------===//
//
// An instrumentation says what code stands at the points of a function: its entry, its exits, and
// where its straight runs begin (StraightRuns.h). It never sees an index of the module, and never
// the module's code. Several run in one pass: at an entry and at a run in the order given, at an
// exit in the opposite order, so that they nest.
//
// An imported function has no code to change: it is called through a small function made for it,
// which has entry and exit like any other, and no runs.
//
// Fuel is counted for all who need it at once, at the beginning of each run, before what they
// insert there: so at the entry of a function it is still what the caller has used.
//
// In the same way, how a function was entered is found out once for all who tell ids, at its entry,
// before what they insert there: see CallKinds.h.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_INSTRUMENT_INSTRUMENTATION_H
#define WARPO_INSTRUMENT_INSTRUMENTATION_H

#include "warpo/Support/CallKind.h"
#include "warpo/Support/Registry.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/TracePoints.h"
#include <optional>

namespace warpo {

/// A function that is instrumented.
struct FunctionSite {
  /// Positive; stands for the function in the mapping and in records.
  int32_t id = 0;
  llvm::StringRef name;
  /// Counts the functions that are instrumented, in the order of their ids, from 0.
  uint32_t number = 0;
  /// What an id is marked with that tells a call: IdMarks that hold for every call, and whether
  /// the variable of the function holds the id with those of this call.
  int32_t marks = 0;
  bool idIsVariable = false;

  /// Appends code that puts the id that tells a call of the function on the stack, or minus that
  /// id.
  void pushCallId(wasm::CodeSequence &code) const;
  void pushNegatedCallId(wasm::CodeSequence &code) const;
};

/// Where the stack of a sample comes from.
enum class SampleStack : uint8_t {
  shadow, ///< the module tells entries and exits
  engine, ///< the engine has one to give
};

/// What a user may choose about instrumentations, beside which. A choice that none of them looks at
/// is an error.
struct InstrumentationSettings {
  /// Default: shadow.
  std::optional<SampleStack> sampleStack;
  /// Whether what is known of first executions lies in a memory of its own, or else in globals.
  /// Default: where there is a buffer.
  std::optional<bool> orderInMemory;
  /// How many first executions that memory logs. Default: they are told the host.
  std::optional<uint32_t> orderBuffer;
};

/// What an instrumentation may know of the module.
struct ModuleFacts {
  /// As records have it.
  uint64_t moduleId = 0;
  /// How many functions are instrumented, and the id of the first; those of the others count up.
  uint32_t functions = 0;
  int32_t firstId = 0;
  bool hasSharedMemory = false;
};

/// What an instrumentation may add to a module beside code, and what it may know.
class ModuleDeclarations {
public:
  ModuleDeclarations(wasm::ModuleEditor &editor, const InstrumentationSettings &settings,
                     const ModuleFacts &facts, std::optional<wasm::GlobalRef> fuel)
      : editor_(editor), settings_(settings), facts_(facts), fuel_(fuel) {}

  /// Instrumentations that import the same function share it.
  wasm::FunctionRef importFunction(llvm::StringRef module, llvm::StringRef name,
                                   llvm::ArrayRef<wasm::ValueType> params,
                                   llvm::ArrayRef<wasm::ValueType> results) {
    return editor_.importFunction(module, name, params, results);
  }
  wasm::FunctionRef importHostCall(wasm::HostCall call);
  /// A global of the instrumentation's own, i32 or i64.
  wasm::GlobalRef addGlobal(wasm::ValueType type, bool isMutable, int64_t initialValue) {
    return editor_.addGlobal(type, isMutable, initialValue);
  }
  /// The same for the host to see: a mutable i64 that begins with 0. Fails if the module has an
  /// export of that name.
  llvm::Expected<wasm::GlobalRef> addExportedCounter(llvm::StringRef name);
  /// See ModuleEditor: for one of the instrumentations.
  llvm::Expected<uint32_t> addMemory(llvm::StringRef exportName, uint64_t size,
                                     llvm::ArrayRef<uint8_t> contents) {
    return editor_.addMemory(exportName, size, contents);
  }

  /// The counter of fuel, if any of the instrumentations chosen needs it. Only to be read.
  std::optional<wasm::GlobalRef> fuel() const { return fuel_; }
  const InstrumentationSettings &settings() const { return settings_; }
  const ModuleFacts &module() const { return facts_; }

private:
  wasm::ModuleEditor &editor_;
  const InstrumentationSettings &settings_;
  const ModuleFacts &facts_;
  std::optional<wasm::GlobalRef> fuel_;
};

/// What is done for an instrumentation only if it needs it.
struct InstrumentationNeeds {
  /// That it is asked what to insert into functions.
  bool functions = false;
  /// That exceptions, too, pass by what it inserts at exits.
  bool exits = false;
  /// That it logs entries: two different ones that do exclude each other.
  bool entryLog = false;
  /// That it is asked what to insert at runs.
  bool runs = false;
  /// That fuel is counted.
  bool fuel = false;
  /// That the ids which tell calls say how the function was entered.
  bool callKinds = false;
  /// Which settings it looks at: those of samples, those of first executions.
  bool sampleSettings = false;
  bool orderSettings = false;
};

class Instrumentation {
public:
  static constexpr llvm::StringLiteral kind = "instrumentation";

  virtual ~Instrumentation() = default;

  virtual InstrumentationNeeds needs(const InstrumentationSettings &) const {
    return {.functions = true, .exits = true};
  }

  /// Called once, before anything but needs().
  virtual llvm::Error declare(ModuleDeclarations &declarations) = 0;

  /// Fills in what to insert into a function. `edit` is empty; code at an exit must leave the stack
  /// as it found it. Several threads may ask at once, in any order, and more than once for a
  /// function.
  virtual void instrument(const FunctionSite &, wasm::FunctionEdit &) const {}

  /// Appends what to insert where a straight run begins, in any function that has code, whether it
  /// is instrumented or not. The stack stays as it is. Asked once or more for runs of the same cost
  /// and place, in any order, by several threads.
  virtual void instrumentRun(const wasm::RunSite &, wasm::CodeSequence &) const {}
};

} // namespace warpo

#endif
