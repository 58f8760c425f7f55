//===- ModuleEditor.h - Rewrites a module by copying it once --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A streaming rewriter: the module is never held as a tree. First the caller declares additions;
// then write() copies section by section, patches moved indices on the way, and calls back for each
// function to get the code to insert. Needs memory for the module and the output, and little else.
//
// An added imported function goes behind all other imported functions, so that only defined
// functions move. Types, globals and functions go behind all others of their kind, so that none
// moves.
//
// Code at the exits of a function is inserted before each `return` and each tail call, and at the
// end. A branch to the function's own label leads out of a block around the body, in front of the
// code at the end. The code may push values and must pop them again: the results are below. With
// catchExceptions() it also runs when an exception leaves the function; the exception is then
// rethrown:
//
//   try (result R) body catch_all exit rethrow 0 end exit                              legacy
//   block (result exnref)
//     try_table (result R) (catch_all_ref 0) body end exit return
//   end exit throw_ref                                                                 exnref
//
// The label of `try` or `try_table` takes the place of the function's own, so that the depths of
// branches do not change.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_MODULEEDITOR_H
#define WARPO_WASM_MODULEEDITOR_H

#include "warpo/Wasm/CodeInsertions.h"
#include "warpo/Wasm/CodeMovements.h"
#include "warpo/Wasm/FunctionPermutation.h"
#include "warpo/Wasm/Module.h"
#include "warpo/Wasm/StraightRuns.h"
#include "llvm/ADT/BitVector.h"
#include <functional>
#include <memory>

namespace warpo::wasm {

/// The suffix for the name of the thunk to which references of a function go.
inline constexpr llvm::StringLiteral byReferenceSuffix = " (by reference)";

/// What to insert into one function.
struct FunctionEdit {
  CodeSequence entry;
  /// At every exit except traps; at exceptions if the editor catches them.
  CodeSequence exit;
  /// Behind `exit` where the function returns, with its results on the stack: at returns and at its
  /// end, but not at tail calls and exceptions. Not for imported functions.
  CodeSequence returnExit;
  /// Behind `exit` where an exception leaves the function, if the editor catches them.
  CodeSequence exceptionExit;
  /// The number of variables to add to the function or thunk, for the code at entry and exits. Each
  /// is an i32 that is 0 at first. Not available where calls are surrounded.
  uint8_t addedLocals = 0;

  void clear() {
    entry.clear();
    exit.clear();
    returnExit.clear();
    exceptionExit.clear();
    addedLocals = 0;
  }
};

/// The begin of a straight run, as far as inserted code may depend on it.
struct RunSite {
  uint64_t cost = 0;
  RunPlace place = RunPlace::entry;
};

/// Appends the code to insert there, which must not change the stack. Called rarely, and possibly
/// by several threads at once.
using RunEdit = std::function<void(const RunSite &, CodeSequence &)>;

/// Adds the code to insert into a defined function. May be called by several threads at once.
using CodeEdits = std::function<void(uint32_t function, CodeInsertions &)>;

/// Appends the code of an added function, when it is written.
using CodeMaker = std::function<void(CodeSequence &)>;

/// How a call specifies its callee: by its index, or as a reference in a table or on the stack.
enum class CallTarget : uint8_t { function, table, reference };

/// An instruction that calls.
struct CallSite {
  /// The function that contains it.
  uint32_t caller = 0;
  CallTarget target = CallTarget::function;
  /// The index of the function or the table.
  uint32_t index = 0;
  bool isTail = false;
};

/// Code to insert around a call. `before` may change the operand on top of the stack. `after` is
/// not executed for a tail call.
struct CallSiteEdit {
  CodeSequence before;
  CodeSequence after;
  /// Whether a direct call is redirected like references to its callee.
  bool byReference = false;
};

/// Returns the code to insert at a call; null: none. May be called by several threads at once.
using CallSiteEdits = std::function<const CallSiteEdit *(const CallSite &)>;

struct EditStatistics;

/// A function whose references go to a thunk, as far as the thunk's code may depend on it.
struct ReferenceSite {
  uint32_t function = 0;
  /// Whether its code has a tail call.
  bool makesTailCalls = false;
  /// Statistics of the module; complete except for these thunks.
  const EditStatistics &statistics;
};

/// The thunk's code before and after it calls the function.
struct ReferenceEdit {
  CodeSequence entry;
  /// In a module with tail calls, behind `entry`: pushes an i32; if it is not 0, `tailEntry` runs
  /// and the call is a tail call.
  CodeSequence tailCondition;
  CodeSequence tailEntry;
  /// Behind these, otherwise.
  CodeSequence ordinaryEntry;
  /// At returns and, if the editor catches them, exceptions. If it is empty and the module has tail
  /// calls, each call is a tail call.
  CodeSequence exit;
  /// Behind `exit`, at exceptions.
  CodeSequence exceptionExit;
  /// As in FunctionEdit.
  uint8_t addedLocals = 0;
};

using ReferenceEdits = std::function<void(const ReferenceSite &, ReferenceEdit &)>;

/// The forms of exception handling; a module can only use one.
enum class ExceptionForm : uint8_t { none, legacy, exnref };

/// The result of write().
struct EditStatistics {
  uint64_t editedFunctions = 0;
  /// Straight runs at whose begin code was inserted.
  uint64_t runs = 0;
  /// Places where exit code was inserted.
  uint64_t exits = 0;
  /// Functions with a handler for exceptions that leave them.
  uint64_t catchingFunctions = 0;
  /// Whether the module's own code uses exceptions of each form.
  bool usesLegacyExceptions = false;
  bool usesExnref = false;
  /// Whether it uses tail calls.
  bool usesTailCalls = false;
  /// Whether it creates references to functions, stores them in tables, or calls by reference other
  /// than through tables.
  bool usesReferences = false;
  /// Whether it switches stacks.
  bool usesContinuations = false;
  /// Calls (including that of the start function) and references that go elsewhere than before.
  uint64_t redirectedCalls = 0;
  uint64_t redirectedReferences = 0;
  /// Calls that surround() put code around.
  uint64_t surroundedCalls = 0;
  /// The largest rewritten body of the module's own functions, in bytes.
  uint64_t largestBody = 0;
  /// Custom sections that were left out because they describe the old code.
  std::vector<std::string> droppedSections;
  /// Debug sections that were kept on request, although they describe the old code.
  std::vector<std::string> keptDebugSections;
  /// Sections of hints that were replaced by added ones.
  std::vector<std::string> replacedHints;

  void add(const EditStatistics &other);
};

/// Which optional custom sections to keep; the others are dropped.
struct CustomSectionPolicy {
  /// Debug information (`.debug_*`, `external_debug_info`) is copied unchanged, although its
  /// offsets are those of the old code.
  bool keepDebug = false;
  /// Hints for instructions (`metadata.code.*`) get the new offsets.
  bool keepHints = true;
};

class ModuleEditor {
public:
  /// `module` must outlive the editor.
  explicit ModuleEditor(const Module &module);
  /// Brings the functions with code into another order and patches all references to them. Nothing
  /// else changes: no code may be inserted. `permutation`, of this module, must outlive the editor
  /// too.
  ModuleEditor(const Module &module, const FunctionPermutation &permutation);
  ModuleEditor(const ModuleEditor &) = delete;
  ModuleEditor &operator=(const ModuleEditor &) = delete;
  ~ModuleEditor();

  /// Importing the same function again returns the first import.
  FunctionRef importFunction(llvm::StringRef module, llvm::StringRef name,
                             llvm::ArrayRef<ValueType> params, llvm::ArrayRef<ValueType> results);
  /// `type` is i32 or i64.
  GlobalRef addGlobal(ValueType type, bool isMutable, int64_t initialValue);
  /// Adds several, whose indices follow that of the first, which is returned.
  GlobalRef addGlobals(uint32_t count, ValueType type, bool isMutable, int64_t initialValue);
  /// Adds a global that stays behind all others, whenever these are added. At most once.
  GlobalRef addLastGlobal(ValueType type, bool isMutable, int64_t initialValue);
  /// Fails if the module has an export of that name already.
  llvm::Error exportGlobal(llvm::StringRef name, GlobalRef global);
  /// Adds an exported function with the body `code`, behind all others. In a name section it has
  /// the name of its export. No code is inserted into it. Fails if the module has an export of that
  /// name already.
  llvm::Expected<FunctionRef> addExportedFunction(llvm::StringRef name,
                                                  llvm::ArrayRef<ValueType> params,
                                                  llvm::ArrayRef<ValueType> results,
                                                  CodeSequence code);
  /// Adds an exported memory of at least `size` bytes behind all others, shared if one of the
  /// module's is; it begins with `contents`. Returns its index, which is final. At most once. Fails
  /// if the module has an export of that name already.
  llvm::Expected<uint32_t> addMemory(llvm::StringRef exportName, uint64_t size,
                                     llvm::ArrayRef<uint8_t> contents);
  /// Imports a shared memory of the host from `module`, behind all others; excludes addMemory(). To
  /// keep indices, a memory that the module defines is imported from there too. The name of that
  /// import is its type: `memory 16` has 16 pages; `memory 16 256 shared i64` has a maximum, is
  /// shared and has 64-bit addresses. Returns the index of the host's memory, which is final. Fails
  /// if the module defines several memories, or one that JavaScript cannot create.
  llvm::Expected<uint32_t> importMemory(llvm::StringRef module, llvm::StringRef name);
  /// Adds a table of external references behind all others, with `size` entries, which are null.
  /// Returns its index, which is final. At most once.
  uint32_t addTable(uint32_t size);
  /// Adds a thunk: a function that has the type of an imported function and calls it. At most one
  /// for each import. `call`, `return_call` and the start function go to it instead of the import;
  /// with `references`, `ref.func` and elements too. Exports do not change. In a name section it
  /// has the name of the import with the suffix ` (traced)`, or ` (left out)` if it does not trace.
  FunctionRef addThunk(uint32_t importedFunction, bool references, bool traces = true);

  /// Adds a function with the body `code`, behind all thunks. In a name section its name is `name`.
  /// No code is inserted into it.
  FunctionRef addFunction(llvm::StringRef name, llvm::ArrayRef<ValueType> params,
                          llvm::ArrayRef<ValueType> results, CodeSequence code);
  FunctionRef addFunction(llvm::StringRef name, llvm::ArrayRef<ValueType> params,
                          llvm::ArrayRef<ValueType> results, CodeMaker code);
  /// Adds functions that do nothing and have no names, behind all others.
  void addEmptyFunctions(uint32_t count);

  /// Adds for each of these functions (each once, in the order of their indices) another thunk,
  /// which calls the function, or its first thunk, and has the code of `edits`. All references to
  /// the function (`ref.func`, elements, exports unless it is imported, the start) go to the thunk;
  /// calls do not change. In a name section it has the name of the function with byReferenceSuffix.
  void redirectReferences(llvm::ArrayRef<uint32_t> functions, ReferenceEdits edits);

  /// Inserts code around calls through tables and references, and around direct calls in the
  /// functions of `callers`. Except calls of functions passed to surround().
  void editCallSites(const llvm::BitVector &callers, CallSiteEdits edits);

  /// Inserts the code at exits for exceptions too, in this form, which must be the module's own
  /// form if it has one. `none` does not.
  void catchExceptions(ExceptionForm form);

  /// Inserts code around each `call` of an imported function. Its tail calls, references and
  /// exports, and its use as the start function, do not change.
  void surround(uint32_t importedFunction);

  /// Inserts code at the begins of the straight runs of every defined function: at the entry,
  /// behind FunctionEdit::entry; at heads of loops; and at other runs that have a cost.
  void editRuns(const FuelCosts &costs, RunEdit edit);

  /// Inserts code in front of instructions. At most once.
  void editCode(CodeEdits edits);

  /// Appended at the end of the module.
  void addCustomSection(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents);

  /// Replaces the module's section of that name. If there is none, the section is appended, before
  /// those of addCustomSection(). At most once for a name.
  void replaceCustomSection(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents);

  /// Adds a section of hints (`metadata.code.*`) for functions and offsets of the original, which
  /// are rewritten like the module's own. Replaces the module's section of that name.
  void addHints(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents);

  void setPolicy(const CustomSectionPolicy &policy);

  /// The maximum number of threads for write(); by default the number of cores. The result does not
  /// depend on it.
  void setThreads(unsigned count);

  /// Appends the rewritten module to `out`. Calls `edit` with the index of a function in the
  /// original and an empty edit to be filled: once for each defined function, for each thunk with
  /// the index of the import, and at every surrounded call with that of the import. Several threads
  /// may call it at once. `movements`, if given, receives the moves of all code.
  llvm::Expected<EditStatistics> write(llvm::function_ref<void(uint32_t, FunctionEdit &)> edit,
                                       llvm::SmallVectorImpl<uint8_t> &out,
                                       CodeMovements *movements = nullptr) const;

  /// The index in the rewritten module; only final after all additions.
  uint32_t finalIndex(FunctionRef function) const;

  struct Additions;

private:
  llvm::Error checkExport(llvm::StringRef name) const;

  const Module &module_;
  std::unique_ptr<Additions> additions_;
};

} // namespace warpo::wasm

#endif
