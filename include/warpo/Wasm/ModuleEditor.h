//===- ModuleEditor.h - Rewrites a module by copying it once --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A streaming rewriter: the module is never held as a tree. First the caller says what is added;
// then write() copies section by section, with the indices that additions have moved patched on the
// way, and asks for each function what to put into it. Takes the memory of the module and of the
// output, and little else.
//
// Where additions go: an imported function behind all other imported functions, so that only
// defined functions move; types, globals and functions behind all others of their kind, so that
// none moves.
//
// Code that is inserted at the exits of a function stands before each `return` and each tail call,
// and at the end; a branch to the function's own label ends in a block around the body, before the
// last of them. It may push values and must pop them again: the results lie below. With
// catchExceptions() it also runs where an exception leaves the function, which then goes on:
//
//   try (result R) body catch_all exit rethrow 0 end exit                              legacy
//   block (result exnref)
//     try_table (result R) (catch_all_ref 0) body end exit return
//   end exit throw_ref                                                                 exnref
//
// The label of `try` or `try_table` takes the place of the function's own, so that no depth of a
// branch changes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_MODULEEDITOR_H
#define WARPO_WASM_MODULEEDITOR_H

#include "warpo/Wasm/CodeMovements.h"
#include "warpo/Wasm/CodeSequence.h"
#include "warpo/Wasm/FunctionPermutation.h"
#include "warpo/Wasm/Module.h"
#include "warpo/Wasm/StraightRuns.h"
#include "llvm/ADT/BitVector.h"
#include <functional>
#include <memory>

namespace warpo::wasm {

/// What stands behind a function's name in that of the function to which its references go.
inline constexpr llvm::StringLiteral byReferenceSuffix = " (by reference)";

/// What to insert into one function.
struct FunctionEdit {
  CodeSequence entry;
  /// At every exit but traps, and exceptions unless the editor catches them.
  CodeSequence exit;
  /// Behind that where the function returns, with its results on the stack: at returns and at its
  /// end, not at tail calls and exceptions. Not for imported functions.
  CodeSequence returnExit;
  /// Behind `exit` where an exception leaves the function, if the editor catches them.
  CodeSequence exceptionExit;
  /// How many blocks begin in the code at the entry: labels that come before the function's own.
  uint8_t entryLabels = 0;
  /// How many variables more the function, or the thunk, gets, each an i32 that is 0 at first,
  /// which the code at entry and exits may use. Not where calls are surrounded.
  uint8_t addedLocals = 0;

  void clear() {
    entry.clear();
    exit.clear();
    returnExit.clear();
    exceptionExit.clear();
    entryLabels = 0;
    addedLocals = 0;
  }
};

/// The beginning of a straight run, as far as what is inserted there may depend on it.
struct RunSite {
  uint64_t cost = 0;
  RunPlace place = RunPlace::entry;
};

/// Fills in what to insert there: code that leaves the stack as it finds it. Asked seldom, and
/// perhaps by several threads at once.
using RunEdit = std::function<void(const RunSite &, CodeSequence &)>;

/// Code in front of an instruction, which leaves the stack as it finds it. It may use the variables
/// that the function's edit adds.
struct CodeInsertion {
  /// Of the instruction, from the first byte of the body's local declarations.
  uint32_t offset = 0;
  CodeSequence code;
  /// Whether it stands before what is inserted for a straight run that begins there, not behind.
  bool isBeforeRun = false;
};

/// Appends what to insert into a defined function, rising by offset. Several threads may ask at
/// once.
using CodeEdits = std::function<void(uint32_t function, std::vector<CodeInsertion> &)>;

/// How a call names what it calls: the function, or a place that holds a reference to it.
enum class CallTarget : uint8_t { function, table, reference };

/// An instruction that calls.
struct CallSite {
  /// The function around it.
  uint32_t caller = 0;
  CallTarget target = CallTarget::function;
  /// Of the function or the table.
  uint32_t index = 0;
  bool isTail = false;
};

/// What to insert around a call. Behind a tail call nothing runs. `before` may change the operand
/// on top of the stack.
struct CallSiteEdit {
  CodeSequence before;
  CodeSequence after;
  /// Whether a call that names its function goes to what references of that go to.
  bool byReference = false;
};

/// Gives what to insert at a call; null: nothing. Several threads may ask at once.
using CallSiteEdits = std::function<const CallSiteEdit *(const CallSite &)>;

struct EditStatistics;

/// A function whose references go to another one, as far as what that does may depend on it.
struct ReferenceSite {
  uint32_t function = 0;
  /// Whether its code leaves it by a tail call somewhere.
  bool makesTailCalls = false;
  /// Of the module; complete, but for what these other functions add.
  const EditStatistics &statistics;
};

/// What the other function does, before and after it calls the function.
struct ReferenceEdit {
  CodeSequence entry;
  /// In a module with tail calls, behind `entry`: leaves an i32 on the stack, and where that is not
  /// 0, `tailEntry` runs and the call is a tail call.
  CodeSequence tailCondition;
  CodeSequence tailEntry;
  /// Behind those.
  CodeSequence ordinaryEntry;
  /// At returns and, if the editor catches them, exceptions. If it is empty, each call is a tail
  /// call where the module has tail calls.
  CodeSequence exit;
  /// Behind that, at exceptions.
  CodeSequence exceptionExit;
  /// As in FunctionEdit.
  uint8_t addedLocals = 0;
};

using ReferenceEdits = std::function<void(const ReferenceSite &, ReferenceEdit &)>;

/// The two forms of exception handling; a module may use only one.
enum class ExceptionForm : uint8_t { none, legacy, exnref };

/// What write() did.
struct EditStatistics {
  uint64_t editedFunctions = 0;
  /// Straight runs at whose beginning code was inserted.
  uint64_t runs = 0;
  /// Places where exit code was inserted.
  uint64_t exits = 0;
  /// Functions whose exits by exception were made exits too.
  uint64_t catchingFunctions = 0;
  /// Whether the module's own code has instructions of each form.
  bool usesLegacyExceptions = false;
  bool usesExnref = false;
  /// Whether it has tail calls.
  bool usesTailCalls = false;
  /// Whether its code makes references to functions, stores them in tables, or calls them other
  /// than through tables.
  bool usesReferences = false;
  /// Whether it switches stacks.
  bool usesContinuations = false;
  /// Calls that go to something else than before (that of the start function too), and references.
  uint64_t redirectedCalls = 0;
  uint64_t redirectedReferences = 0;
  /// Calls that surround() put code around.
  uint64_t surroundedCalls = 0;
  /// In bytes, of the module's own functions as they are now.
  uint64_t largestBody = 0;
  /// Custom sections left out, since they would not be true of the new code.
  std::vector<std::string> droppedSections;
  /// Debug information that was asked to be kept, true of the old code only.
  std::vector<std::string> keptDebugSections;
  /// Hints that gave way to added ones.
  std::vector<std::string> replacedHints;

  void add(const EditStatistics &other);
};

/// What becomes of the custom sections about which there is a choice; those not kept are dropped.
struct CustomSectionPolicy {
  /// Debug information (`.debug_*`, `external_debug_info`) stays byte for byte, though its offsets
  /// are those of the old code.
  bool keepDebug = false;
  /// Hints for instructions (`metadata.code.*`) follow the instructions.
  bool keepHints = true;
};

class ModuleEditor {
public:
  /// `module` must outlive the editor.
  explicit ModuleEditor(const Module &module);
  /// The functions with code come in another order, and all that names one follows. Nothing else
  /// changes: no code may be inserted. `permutation`, of this module, must outlive the editor too.
  ModuleEditor(const Module &module, const FunctionPermutation &permutation);
  ModuleEditor(const ModuleEditor &) = delete;
  ModuleEditor &operator=(const ModuleEditor &) = delete;
  ~ModuleEditor();

  /// A second import of the same function gives the first again.
  FunctionRef importFunction(llvm::StringRef module, llvm::StringRef name,
                             llvm::ArrayRef<ValueType> params, llvm::ArrayRef<ValueType> results);
  /// `type` is i32 or i64.
  GlobalRef addGlobal(ValueType type, bool isMutable, int64_t initialValue);
  /// One that stays behind all others, whenever they are added. Once.
  GlobalRef addLastGlobal(ValueType type, bool isMutable, int64_t initialValue);
  /// Fails if the module has an export of that name already.
  llvm::Error exportGlobal(llvm::StringRef name, GlobalRef global);
  /// A function behind all others that runs `code`, exported; in a name section it is called as
  /// its export. Nothing is inserted into it. Fails if the module has an export of that name
  /// already.
  llvm::Expected<FunctionRef> addExportedFunction(llvm::StringRef name,
                                                  llvm::ArrayRef<ValueType> params,
                                                  llvm::ArrayRef<ValueType> results,
                                                  const CodeSequence &code);
  /// A memory behind all others, so many bytes large at least, exported, and shared if one of the
  /// module's is; it begins with `contents`. Returns its index, which is final. Once. Fails if the
  /// module has an export of that name already.
  llvm::Expected<uint32_t> addMemory(llvm::StringRef exportName, uint64_t size,
                                     llvm::ArrayRef<uint8_t> contents);
  /// A shared memory of the host's behind all others, imported from `module`, and no addMemory()
  /// beside it. So that no index changes, a memory that the module defines is imported from there
  /// too. Its type is its name: `memory 16` has 16 pages, `memory 16 256 shared i64` has all that a
  /// type can have, first a maximum. Returns the index, which is final. Fails if the module defines
  /// several memories, or one that JavaScript cannot make.
  llvm::Expected<uint32_t> importMemory(llvm::StringRef module, llvm::StringRef name);
  /// A table of functions behind all others, with so many entries, all of them null. Returns its
  /// index, which is final. Once.
  uint32_t addTable(uint32_t size);
  /// Adds a function that calls an imported one and has its type, a thunk; once for each. `call`,
  /// `return_call` and the start function go to it in place of the import; with `references`,
  /// `ref.func` and elements too. Exports stay as they are. In a name section it is called as the
  /// import, with ` (traced)` behind, or ` (left out)` if it does not trace.
  FunctionRef addThunk(uint32_t importedFunction, bool references, bool traces = true);

  /// A function of the module's own, behind all thunks, that runs `code`; in a name section it is
  /// called `name`. Nothing is inserted into it.
  FunctionRef addFunction(llvm::StringRef name, llvm::ArrayRef<ValueType> params,
                          llvm::ArrayRef<ValueType> results, const CodeSequence &code);

  /// Adds for each of these functions (each once, in the order of their indices) another that calls
  /// the function, or its thunk, and runs what `edits` gives for it. All that refers to one of them
  /// (`ref.func`, elements, exports of defined ones, the start) goes there; calls stay as they are.
  /// In a name section it is called as the function, with ` (by reference)` behind.
  void redirectReferences(llvm::ArrayRef<uint32_t> functions, ReferenceEdits edits);

  /// Inserts code around calls through tables and references, and around those that name a function
  /// and stand in one of `callers` (by function). Calls that surround() knows are left to it.
  void editCallSites(const llvm::BitVector &callers, CallSiteEdits edits);

  /// Makes exits of functions by an exception exits like others, in this form, which must be the
  /// module's own if it has one. `none` leaves them alone.
  void catchExceptions(ExceptionForm form);

  /// Puts code around each `call` of an imported function. Tail calls and references of it, its
  /// exports and a start function stay as they are.
  void surround(uint32_t importedFunction);

  /// Inserts code where the straight runs of every defined function begin: at the entry, behind
  /// what write() is told to insert there; at heads of loops; at others, if they cost anything.
  void editRuns(const FuelCosts &costs, RunEdit edit);

  /// Inserts code in front of instructions. Once.
  void editCode(CodeEdits edits);

  /// Appended at the end of the module.
  void addCustomSection(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents);

  /// Takes the place of the module's section of that name; appended, before all that
  /// addCustomSection adds, if it has none. Once for a name.
  void replaceCustomSection(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents);

  /// A section of hints (`metadata.code.*`) for functions and offsets of the original, which follow
  /// as the module's own do. Takes the place of the module's section of that name.
  void addHints(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents);

  void setPolicy(const CustomSectionPolicy &policy);

  /// On how many threads write() may rewrite bodies, where there is enough to do; as many as there
  /// are cores without a call of this. The result is the same.
  void setThreads(unsigned count);

  /// Appends the rewritten module to `out`. `edit` is asked with the original's index of a function
  /// and an empty edit to be filled: for each defined function once, for each thunk with the index
  /// of the import, and for an import that is surrounded at every call. Several threads may ask at
  /// once. `movements`, if given, learns where the code of each function has gone.
  llvm::Expected<EditStatistics> write(llvm::function_ref<void(uint32_t, FunctionEdit &)> edit,
                                       llvm::SmallVectorImpl<uint8_t> &out,
                                       CodeMovements *movements = nullptr) const;

  /// The index in the rewritten module; final only when nothing is added any more.
  uint32_t finalIndex(FunctionRef function) const;

  struct Additions;

private:
  llvm::Error checkExport(llvm::StringRef name) const;

  const Module &module_;
  std::unique_ptr<Additions> additions_;
};

} // namespace warpo::wasm

#endif
