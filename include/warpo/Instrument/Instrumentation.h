//===- Instrumentation.h - What to insert into a module -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An instrumentation says what code stands at the points of a function: its entry, its exits, and
// where its straight runs begin (StraightRuns.h). For that it needs to see no index of the module,
// and none of the module's code; one that does may say what stands in front of single instructions.
// Several run in one pass: at an entry and at a run in the order given, at an
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
// And for all who tell entries and exits, the calls that a trap has ended: see Traps.h. For those
// who tell a host that knows of several stacks, which of them runs: see StackSwitches.h.
//
// What an instrumentation collects in the module, as an artifact, is fetched by any host:
// Artifact.h.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_INSTRUMENT_INSTRUMENTATION_H
#define WARPO_INSTRUMENT_INSTRUMENTATION_H

#include "warpo/Support/CallKind.h"
#include "warpo/Support/Registry.h"
#include "warpo/Wasm/Artifact.h"
#include "warpo/Wasm/Counters.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/TracePoints.h"
#include <functional>
#include <memory>
#include <optional>

namespace warpo {

/// A function that is instrumented.
struct FunctionSite {
  /// Positive; stands for the function in the mapping and in records.
  int32_t id = 0;
  llvm::StringRef name;
  /// Counts the functions that are instrumented, in the order of their ids, from 0.
  uint32_t number = 0;
  /// In the original.
  uint32_t index = 0;
  bool isImported = false;
  /// What an id is marked with that tells a call: IdMarks that hold for every call, and whether
  /// the variable of the function holds the id with those of this call.
  int32_t marks = 0;
  bool idIsVariable = false;

  /// Appends code that puts the id that tells a call of the function on the stack, or minus that
  /// id.
  void pushCallId(wasm::CodeSequence &code) const;
  void pushNegatedCallId(wasm::CodeSequence &code) const;
};

/// An option that an instrumentation declares.
struct InstrumentationOption {
  struct Value {
    llvm::StringLiteral name;
    llvm::StringLiteral description;
  };
  /// Different from those of all other instrumentations.
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  /// What it may be set to; empty: see `valueName`.
  llvm::ArrayRef<Value> values = {};
  /// What stands for the value in --help: `N`. Empty: the option has no value.
  llvm::StringLiteral valueName = "value";
};

/// An option that a user gave.
struct GivenOption {
  std::string name, value;
};

/// What an instrumentation may know of the module.
struct ModuleFacts {
  /// As records have it.
  uint64_t moduleId = 0;
  /// How many functions are instrumented, and the id of the first; those of the others count up.
  uint32_t functions = 0;
  int32_t firstId = 0;
  /// Calls a function with the name of each, in the order of their ids.
  std::function<void(llvm::function_ref<void(llvm::StringRef)>)> forEachName;
  bool hasSharedMemory = false;
  uint32_t memories = 0;
  /// By function of the original, those that are not instrumented.
  llvm::BitVector leftOut = {};
  /// Whether instrumentUnwinding() is asked: exceptions are caught.
  bool catchesExceptions = false;
  /// As it was; never null.
  const wasm::Module *original = nullptr;
};

/// What an instrumentation may add to a module beside code, and what it may know.
class ModuleDeclarations {
public:
  /// `exportsCounters`: see exposeCounter().
  ModuleDeclarations(wasm::ModuleEditor &editor, const ModuleFacts &facts,
                     std::optional<wasm::GlobalRef> fuel, bool exportsCounters)
      : editor_(editor), facts_(facts), fuel_(fuel), exportsCounters_(exportsCounters) {}

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
  /// The same for the host to read and set. Fails if the module has an export of a name that this
  /// takes.
  llvm::Expected<wasm::GlobalRef> addCounter(wasm::Counter counter);
  /// See ModuleEditor.
  wasm::FunctionRef addFunction(llvm::StringRef name, llvm::ArrayRef<wasm::ValueType> params,
                                llvm::ArrayRef<wasm::ValueType> results,
                                const wasm::CodeSequence &code) {
    return editor_.addFunction(name, params, results, code);
  }
  /// See ModuleEditor.
  llvm::Expected<wasm::FunctionRef> addExportedFunction(llvm::StringRef name,
                                                        llvm::ArrayRef<wasm::ValueType> params,
                                                        llvm::ArrayRef<wasm::ValueType> results,
                                                        const wasm::CodeSequence &code) {
    return editor_.addExportedFunction(name, params, results, code);
  }
  /// A function (i32) -> `type` that returns the values of the globals by their number, and 0 for
  /// further numbers. There may be a million of them.
  llvm::Error addExportedNumbers(llvm::StringRef name, wasm::ValueType type,
                                 llvm::ArrayRef<wasm::GlobalRef> globals);
  /// See ModuleEditor: for one of the instrumentations.
  llvm::Expected<uint32_t> addMemory(llvm::StringRef exportName, uint64_t size,
                                     llvm::ArrayRef<uint8_t> contents) {
    return editor_.addMemory(exportName, size, contents);
  }
  /// See ModuleEditor: of `builtin`, for one of the instrumentations.
  llvm::Expected<uint32_t> importMemory(llvm::StringRef name) {
    return editor_.importMemory(wasm::hostModule, name);
  }
  /// See ModuleEditor: for one of the instrumentations.
  uint32_t addTable(uint32_t size) { return editor_.addTable(size); }

  /// Lets hosts fetch data that is reached by an export added here.
  void addArtifact(wasm::Artifact artifact) { artifacts_.push_back(std::move(artifact)); }
  llvm::ArrayRef<wasm::Artifact> artifacts() const { return artifacts_; }
  /// Says what a user would not expect of the module.
  void warn(std::string text) { warnings_.push_back(std::move(text)); }
  llvm::ArrayRef<std::string> warnings() const { return warnings_; }

  /// The counter of fuel, if any of the instrumentations chosen needs it. Only to be read.
  std::optional<wasm::GlobalRef> fuel() const { return fuel_; }
  const ModuleFacts &module() const { return facts_; }

private:
  void appendChoice(llvm::StringRef name, wasm::ValueType type,
                    llvm::ArrayRef<wasm::GlobalRef> globals, wasm::CodeSequence &code);

  wasm::ModuleEditor &editor_;
  const ModuleFacts &facts_;
  std::optional<wasm::GlobalRef> fuel_;
  bool exportsCounters_;
  std::vector<wasm::Artifact> artifacts_;
  std::vector<std::string> warnings_;
};

/// Lets hosts read and set a counter: by two exported functions or, with `asGlobal`, as an exported
/// global.
llvm::Error exposeCounter(wasm::ModuleEditor &editor, bool asGlobal, wasm::Counter counter,
                          wasm::GlobalRef global);

/// What is done for an instrumentation only if it needs it.
struct InstrumentationNeeds {
  /// That it is asked what to insert into functions.
  bool functions = false;
  /// That exceptions, too, pass by what it inserts at exits.
  bool exits = false;
  /// That it logs entries: two different ones that do exclude each other.
  bool entryLog = false;
  /// That it tells the host of frames: two different ones that do exclude each other.
  bool frames = false;
  /// That it is asked what to insert into functions that are not instrumented, too.
  bool bodies = false;
  /// That it is asked what to insert at runs.
  bool runs = false;
  /// That it is asked what to insert in front of instructions.
  bool code = false;
  /// That it is asked what to do where exceptions leave functions.
  bool unwinding = false;
  /// That the module says where its code comes from: docs/instrumented-module.md.
  bool codeMap = false;
  /// That fuel is counted.
  bool fuel = false;
  /// That the ids which tell calls say how the function was entered.
  bool callKinds = false;
  /// That calls which a trap has ended are reported.
  bool traps = false;
  /// That the module reports where the code leaves its stack for another one, and comes back.
  bool stacks = false;
  /// That calls are left out while a host wants none, and that functions keep whether theirs is.
  bool switched = false;
  /// That it is asked what to insert where control may leave the module.
  bool waysOut = false;
  /// That functions get variables, which code around calls has none of.
  bool variables = false;
};

class Instrumentation {
public:
  static constexpr llvm::StringLiteral kind = "instrumentation";

  virtual ~Instrumentation() = default;

  virtual llvm::ArrayRef<InstrumentationOption> options() const { return {}; }
  /// Takes what the user gave for one of options(), before anything else; called once for each that
  /// is given. Values that an option lists have been checked.
  virtual llvm::Error setOption(llvm::StringRef name, llvm::StringRef value);

  virtual InstrumentationNeeds needs() const { return {.functions = true, .exits = true}; }

  /// Called once, before what is inserted is asked for.
  virtual llvm::Error declare(ModuleDeclarations &declarations) = 0;

  /// Fills in what to insert into a function. `edit` is empty, but for variables that others have
  /// added; code at an exit must leave the stack as it found it. Several threads may ask at once,
  /// in any order, and more than once for a function.
  virtual void instrument(const FunctionSite &, wasm::FunctionEdit &) const {}

  /// Fills in what to insert into a function that has code, by its index in the original, whether
  /// it is instrumented or not, behind what instrument() inserts. `edit` is empty. Several threads
  /// may ask at once.
  virtual void instrumentBody(uint32_t function, bool isInstrumented,
                              wasm::FunctionEdit &edit) const {
    (void)function;
    (void)isInstrumented;
    (void)edit;
  }

  /// Appends what tells that a trap has ended a call, and with it all that were made since. Its id,
  /// as it was reported at its entry, is parameter 0; of several such calls that are open it is the
  /// innermost, or the outermost. The code of a function of its own.
  virtual void tellTrapped(wasm::CodeSequence &, bool isOutermost) const { (void)isOutermost; }

  /// Appends what to insert in front of calls that may leave the module, other than by an imported
  /// function that is instrumented. The stack stays as it is.
  virtual void instrumentWayOut(wasm::CodeSequence &) const {}

  /// Appends what to insert where a straight run begins, in any function that has code, whether it
  /// is instrumented or not. The stack stays as it is. Asked once or more for runs of the same cost
  /// and place, in any order, by several threads.
  virtual void instrumentRun(const wasm::RunSite &, wasm::CodeSequence &) const {}

  /// Appends what to insert in front of instructions of a function that has code, by its index in
  /// the original, whether it is instrumented or not; in any order. Several threads may ask at
  /// once.
  virtual void instrumentCode(uint32_t function, std::vector<wasm::CodeInsertion> &) const {
    (void)function;
  }

  /// Appends what is done where an exception leaves such a function, which it goes on to do.
  /// Several threads may ask at once.
  virtual void instrumentUnwinding(uint32_t function, wasm::CodeSequence &) const {
    (void)function;
  }
};

/// Sets what the user gave. An error if no instrumentation of `chosen`, which goes by the names of
/// the registry, declares such an option, or if one does not take the value.
llvm::Error setOptions(llvm::ArrayRef<std::unique_ptr<Instrumentation>> chosen,
                       llvm::ArrayRef<GivenOption> given);

} // namespace warpo

#endif
