//===- Instrumentation.h - What to insert into a module -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An instrumentation provides code to insert at points of a function: its entry, its exits, and
// where its straight runs begin (StraightRuns.h). For that it needs neither indices nor the
// module's code. If it does read the code, it may also insert in front of single instructions.
// Several instrumentations run in one pass: in the order given at entries and runs, in reverse at
// exits, so that they nest.
//
// An imported function has no code to change. It is called through a thunk, which has an entry and
// an exit like any other function, and no runs.
//
// Some work is done once for all instrumentations that need it:
// - Fuel is counted at the begin of each run, before the code inserted there. So at a function's
//   entry it is still what the caller has used.
// - For those that report ids, the entry finds out how the function was entered (CallKinds.h).
// - For those that report entries and exits, calls ended by a trap are found (Traps.h).
// - For those whose host knows several stacks, switches between stacks are found (StackSwitches.h).
//
// Any host can fetch data that an instrumentation collects in the module, as an artifact
// (Artifact.h).
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
#include <array>
#include <functional>
#include <memory>
#include <optional>

namespace warpo {

/// An instrumented function.
struct FunctionSite {
  /// Positive; identifies the function in the mapping and in records.
  int32_t id = 0;
  llvm::StringRef name;
  /// Its position among the instrumented functions, in the order of their ids, from 0.
  uint32_t number = 0;
  /// Its index in the original.
  uint32_t index = 0;
  bool isImported = false;
  /// IdMarks to add to the id of every call. If idIsVariable, a variable of the function holds the
  /// id with the marks of the current call.
  int32_t marks = 0;
  bool idIsVariable = false;

  /// Appends code that pushes the id for the current call of the function, with its marks, or minus
  /// that id.
  void pushCallId(wasm::CodeSequence &code) const;
  void pushNegatedCallId(wasm::CodeSequence &code) const;
};

struct InstrumentationOption {
  struct Value {
    llvm::StringLiteral name;
    llvm::StringLiteral description;
  };
  /// Unique among all instrumentations.
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  /// The possible values; empty: see `valueName`.
  llvm::ArrayRef<Value> values = {};
  /// The placeholder for the value in --help, as `N`. Empty: the option has no value.
  llvm::StringLiteral valueName = "value";
};

/// An option given by the user.
struct GivenOption {
  std::string name, value;
};

/// What an instrumentation may know about the module.
struct ModuleFacts {
  /// The module id, as in records.
  uint64_t moduleId = 0;
  /// The hash of the original's bytes.
  std::array<uint8_t, 32> originalHash = {};
  /// The number of instrumented functions, and the id of the first; the others have consecutive
  /// ids.
  uint32_t functions = 0;
  int32_t firstId = 0;
  /// Calls a function with the name of each instrumented function, in the order of their ids.
  std::function<void(llvm::function_ref<void(llvm::StringRef)>)> forEachName;
  bool hasSharedMemory = false;
  uint32_t memories = 0;
  /// The functions of the original that are not instrumented, by index.
  llvm::BitVector leftOut = {};
  /// Whether no other instrumentation inserts code into functions, except what finds traps and
  /// marks calls: between a function's entry and exit, that calls no function.
  bool isAlone = false;
  /// Whether exceptions are caught, so that instrumentUnwinding() will be called.
  bool catchesExceptions = false;
  /// Whether reportTrapped() will be called, and whether the ids of reported calls have marks.
  bool reportsTraps = false, marksCalls = false;
  /// Whether the result will be optimised, which removes code without effect.
  bool willBeOptimized = false;
  /// The module before instrumentation; never null.
  const wasm::Module *original = nullptr;
};

/// Lets an instrumentation declare what it adds to the module beside code.
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
  /// An i32 or i64 that only the instrumentation uses.
  wasm::GlobalRef addGlobal(wasm::ValueType type, bool isMutable, int64_t initialValue) {
    return editor_.addGlobal(type, isMutable, initialValue);
  }
  /// Several, whose indices follow that of the first, which is returned.
  wasm::GlobalRef addGlobals(uint32_t count, wasm::ValueType type, bool isMutable,
                             int64_t initialValue) {
    return editor_.addGlobals(count, type, isMutable, initialValue);
  }
  /// Adds a global that the host can read and set. Fails if the module already has an export of
  /// that name.
  llvm::Expected<wasm::GlobalRef> addCounter(wasm::Counter counter);
  /// See ModuleEditor.
  wasm::FunctionRef addFunction(llvm::StringRef name, llvm::ArrayRef<wasm::ValueType> params,
                                llvm::ArrayRef<wasm::ValueType> results, wasm::CodeSequence code) {
    return editor_.addFunction(name, params, results, std::move(code));
  }
  /// See ModuleEditor. Adds fewer, or none, to a module that would have more functions than engines
  /// take.
  void addEmptyFunctions(uint32_t count);
  /// See ModuleEditor.
  llvm::Expected<wasm::FunctionRef> addExportedFunction(llvm::StringRef name,
                                                        llvm::ArrayRef<wasm::ValueType> params,
                                                        llvm::ArrayRef<wasm::ValueType> results,
                                                        wasm::CodeSequence code) {
    return editor_.addExportedFunction(name, params, results, std::move(code));
  }
  /// Exports a function (i32) -> `type` that returns the value of the n-th of `count` globals from
  /// `first` on, and 0 beyond the last. Suitable for a million globals.
  llvm::Error addExportedNumbers(llvm::StringRef name, wasm::ValueType type, wasm::GlobalRef first,
                                 uint32_t count);
  /// See ModuleEditor. At most one instrumentation may call this.
  llvm::Expected<uint32_t> addMemory(llvm::StringRef exportName, uint64_t size,
                                     llvm::ArrayRef<uint8_t> contents) {
    return editor_.addMemory(exportName, size, contents);
  }
  /// See ModuleEditor; imports from `builtin`. At most one instrumentation may call this.
  llvm::Expected<uint32_t> importMemory(llvm::StringRef name) {
    return editor_.importMemory(wasm::hostModule, name);
  }
  /// See ModuleEditor. At most one instrumentation may call this.
  uint32_t addTable(uint32_t size) { return editor_.addTable(size); }

  /// Lets hosts fetch data through an export added here.
  void addArtifact(wasm::Artifact artifact) { artifacts_.push_back(std::move(artifact)); }
  llvm::ArrayRef<wasm::Artifact> artifacts() const { return artifacts_; }
  /// Warns the user about a surprising property of the module.
  void warn(std::string text) { warnings_.push_back(std::move(text)); }
  llvm::ArrayRef<std::string> warnings() const { return warnings_; }

  /// The fuel counter, if any of the chosen instrumentations needs it. Read-only.
  std::optional<wasm::GlobalRef> fuel() const { return fuel_; }
  const ModuleFacts &module() const { return facts_; }

private:
  void appendChoice(llvm::StringRef name, wasm::ValueType type, wasm::GlobalRef first,
                    uint32_t count, const std::shared_ptr<const wasm::CodeSequence> &fullPart,
                    wasm::CodeSequence &code);

  wasm::ModuleEditor &editor_;
  const ModuleFacts &facts_;
  std::optional<wasm::GlobalRef> fuel_;
  bool exportsCounters_;
  std::vector<wasm::Artifact> artifacts_;
  std::vector<std::string> warnings_;
};

/// Lets hosts read and set a counter: by two exported functions or, if `asGlobal`, as an exported
/// global.
llvm::Error exposeCounter(wasm::ModuleEditor &editor, bool asGlobal, wasm::Counter counter,
                          wasm::GlobalRef global);

/// What an instrumentation needs; other work is not done for it.
struct InstrumentationNeeds {
  /// Call instrument().
  bool functions = false;
  /// Execute its code at exits for exceptions too.
  bool exits = false;
  /// It logs entries. Only one instrumentation may do so.
  bool entryLog = false;
  /// It reports frames to the host. Only one instrumentation may do so.
  bool frames = false;
  /// Call instrumentBody(), also for functions that are not instrumented.
  bool bodies = false;
  /// Call instrumentRun().
  bool runs = false;
  /// Call instrumentCode().
  bool code = false;
  /// Call instrumentUnwinding().
  bool unwinding = false;
  /// Add a map from the module's code to the original's: docs/instrumented-module.md.
  bool codeMap = false;
  /// Count fuel.
  bool fuel = false;
  /// Mark ids of calls with how the function was entered.
  bool callKinds = false;
  /// Report calls that a trap has ended.
  bool traps = false;
  /// Have the host ask all other modules of the thread for such calls too.
  bool trapsOfThread = false;
  /// Report where code leaves its stack for another one, and where it comes back.
  bool stacks = false;
  /// The host can switch reports of calls off, and each call keeps whether it was reported.
  bool switched = false;
  /// Call instrumentWayOut().
  bool waysOut = false;
  /// Functions have variables. Code around calls cannot have any.
  bool variables = false;
};

class Instrumentation {
public:
  static constexpr llvm::StringLiteral kind = "instrumentation";

  virtual ~Instrumentation() = default;

  virtual llvm::ArrayRef<InstrumentationOption> options() const { return {}; }
  /// Sets one of options(), before anything else; called once for each one given by the user. If
  /// the option lists its values, `value` is one of them.
  virtual llvm::Error setOption(llvm::StringRef name, llvm::StringRef value);

  virtual InstrumentationNeeds needs() const { return {.functions = true, .exits = true}; }

  /// Called once, before the functions below.
  virtual llvm::Error declare(ModuleDeclarations &declarations) = 0;

  /// Fills in the code to insert into an instrumented function. `edit` is empty, except for
  /// variables of other instrumentations. Code at an exit must leave the stack as it found it. May
  /// be called by several threads at once, in any order, and more than once for a function.
  virtual void instrument(const FunctionSite &, wasm::FunctionEdit &) const {}

  /// Fills in the code to insert into any function that has code, instrumented or not, behind the
  /// code of instrument(). `function` is its index in the original. `edit` is empty, except for
  /// variables. May be called by several threads at once, and more than once for a function.
  virtual void instrumentBody(uint32_t function, bool isInstrumented,
                              wasm::FunctionEdit &edit) const {
    (void)function;
    (void)isInstrumented;
    (void)edit;
  }

  /// Appends the body of a function that reports that a trap has ended a call and all calls within
  /// it. Parameter 0 is the call's id, as reported at its entry. If several calls with that id are
  /// open, the innermost or the outermost is meant.
  virtual void reportTrapped(wasm::CodeSequence &, bool isOutermost) const { (void)isOutermost; }

  /// Appends the code to insert in front of calls that may leave the module, except calls of
  /// instrumented imported functions. It must not change the stack.
  virtual void instrumentWayOut(wasm::CodeSequence &) const {}

  /// Appends the code to insert at the begin of a straight run, in any function that has code,
  /// instrumented or not. It must not change the stack. Called once or more for runs of the same
  /// cost and place, in any order, by several threads.
  virtual void instrumentRun(const wasm::RunSite &, wasm::CodeSequence &) const {}

  /// Adds, in any order, the code to insert in front of instructions of any function that has
  /// code, instrumented or not. `function` is its index in the original. May be called by several
  /// threads at once.
  virtual void instrumentCode(uint32_t function, wasm::CodeInsertions &) const { (void)function; }

  /// Appends the code to execute when an exception leaves such a function; the exception is then
  /// rethrown. May be called by several threads at once.
  virtual void instrumentUnwinding(uint32_t function, wasm::CodeSequence &) const {
    (void)function;
  }
};

/// Sets the options given by the user. Fails if no instrumentation of `chosen` declares such an
/// option, or if one does not take the value.
llvm::Error setOptions(llvm::ArrayRef<std::unique_ptr<Instrumentation>> chosen,
                       llvm::ArrayRef<GivenOption> given);

} // namespace warpo

#endif
