//===- FunctionTable.h - Names of the functions of a record ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_FUNCTIONTABLE_H
#define WARPO_RECORD_FUNCTIONTABLE_H

#include "warpo/Record/Declarations.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/DamageReport.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace warpo {

/// A dense number of a function, over all modules of a FunctionTable.
using FunctionIndex = uint32_t;

/// The function ids of one module, or of a stream with several modules. Ids that the mapping does
/// not have are added when they are first looked up. Memory is O(number of ids), however sparse.
class FunctionIds {
public:
  /// The function with this id; one is made for an unknown id. `id` must be positive.
  FunctionIndex find(int32_t id) {
    // One subtraction, one comparison and one load for ids assigned by instrumenting.
    uint32_t slot = uint32_t(id) - firstId;
    if (slot < dense_.size() && dense_[slot] != unresolved)
      return dense_[slot];
    return findSlowly(id);
  }

  /// The first id that instrumenting assigns.
  static constexpr uint32_t firstId = firstFunctionId;
  /// The value in dense() of an id that has not been looked up.
  static constexpr FunctionIndex unresolved = UINT32_MAX;
  /// The functions of the ids from firstId on, for loops that cannot afford a call. find() may
  /// invalidate it.
  llvm::ArrayRef<FunctionIndex> dense() const { return dense_; }
  /// The same for ids with marks (CallKind.h), which dense() does not have, at the places that
  /// markedPlace() gives.
  llvm::ArrayRef<FunctionIndex> marked() const { return marked_; }
  /// `slot`: the id minus firstId. UINT32_MAX for an id without marks.
  static uint32_t markedPlace(uint32_t slot) {
    uint32_t marks = slot / maxMarkedFunctions - 1;
    return marks < 3 ? slot % maxMarkedFunctions * 3 + marks : UINT32_MAX;
  }

private:
  friend class FunctionTable;
  friend class MappingReader;

  /// The result of find() if it is known already.
  std::optional<FunctionIndex> known(int32_t id) const;
  FunctionIds(class FunctionTable &table, uint32_t module) : table_(table), module_(module) {}
  /// False if the id had a function, which is replaced.
  bool add(int32_t id, FunctionIndex function);
  FunctionIndex findSlowly(int32_t id);
  FunctionIndex findMarked(int32_t id);
  size_t denseLimit() const;
  /// Moves ids that are dense enough by now from the hash map to the array.
  void settle();
  FunctionIndex findOnStack(int32_t id);

  /// For a stream with several modules: the owners of its ids.
  struct Stack {
    FunctionIds &first;
    StackWindows windows;
    /// By window.
    std::vector<FunctionIds *> modules;
  };

  class FunctionTable &table_;
  uint32_t module_;
  std::vector<FunctionIndex> dense_;
  /// For ids whose function without marks is in dense_.
  std::vector<FunctionIndex> marked_;
  // Not a DenseMap: ids and module ids come from a file, and DenseMap keeps two keys for itself.
  std::unordered_map<int32_t, FunctionIndex> sparse_;
  /// The number of ids in dense_ and sparse_.
  size_t count_ = 0;
  /// The size of sparse_ at which settle() runs next.
  size_t nextSettling_ = 64;
  FunctionIndex remainingUnknown_ = unresolved;
  std::unique_ptr<Stack> stack_;
};

struct Function {
  llvm::StringRef name;
  /// An index into FunctionTable::modules().
  uint32_t module;
  /// 0 for entries that are no single function of the program: lost events, unknown functions.
  int32_t id;
  /// False if the mapping did not have the id.
  bool known;
  /// Its source location, as renamed by FunctionTable::renameFiles(), and a hash of its code; empty
  /// and 0 if neither the mapping nor the record has them.
  llvm::StringRef file = {};
  uint32_t line = 0;
  uint64_t bodyHash = 0;
  /// The functions inlined into it, the one with the most code first.
  llvm::ArrayRef<llvm::StringRef> inlined = {};
  /// The line that a frame was executing, with the file renamed by renameFiles(). Each such line is
  /// an entry of its own. Empty and 0 if it is unknown, or lines are not shown.
  llvm::StringRef executedFile = {};
  uint32_t executedLine = 0;
  /// The first offset met on that line, as in RecordedStack.
  uint32_t executedOffset = 0;
  /// Whether it is a stack frame that has a name only, and no function.
  bool isTextFrame = false;
  /// Whether it was inlined into the frame around it. It has no id then.
  bool isInlined = false;
  /// Whether it is known to be an imported function. Its callees are called by the host.
  bool isImported = false;
  /// Whether it is one that was bound to a function of another module of the record.
  bool isLinked = false;
  /// The same function entered by a direct call, which is itself, unless call kinds are shown.
  FunctionIndex direct = 0;
  /// See FunctionTable::renameFunctions() and distinguishNames().
  bool awaitsRenaming = false;
  /// For a frame that is no call but the place where all frames below it ran, such as a thread: the
  /// attribute of samples whose value is the frame's name, such as `thread.name`; else empty.
  llvm::StringRef attribute = {};
};

/// A stack of a sample, with its functions resolved.
struct ResolvedStack {
  /// The innermost frame; meaningless for stack 0, which has no frames.
  FunctionIndex function;
  /// A smaller index of FunctionTable::stacks().
  uint32_t parent;
  /// The position in the function, as an index of the table's own; 0: unknown.
  uint32_t place = 0;
};

struct MappedModule {
  uint64_t moduleId;
  std::string name;
};

/// The functions of the mapping, and functions of the record that are not in the mapping.
///
/// A text mapping applies to every module of the record; a JSON mapping lists functions by module.
/// Names refer to the mapping's bytes, which the table owns. The table observes the record's reader
/// for stacks and names; if there is a mapping file, of these only the names of sections.
class FunctionTable : public DeclarationObserver {
public:
  /// Without a mapping: functions are named `function <id>`.
  FunctionTable();
  ~FunctionTable() override;
  FunctionTable(const FunctionTable &) = delete;
  FunctionTable &operator=(const FunctionTable &) = delete;

  /// Reads a mapping file: text, or JSON if its first character is `[` or `{`. Malformed lines of
  /// text are reported to `damage`; JSON that does not match docs/mapping.md is an error.
  static llvm::Expected<std::unique_ptr<FunctionTable>> load(llvm::StringRef path,
                                                             DamageReport &damage);

  void declareModule(size_t index, const RecordedModule &module,
                     llvm::ArrayRef<RecordedModule::Function> added) override;
  void declareLinkedFunctions(size_t index, const RecordedModule &module,
                              llvm::ArrayRef<int32_t> added) override;
  void declarePlaces(size_t index, const RecordedModule &module) override;
  void declareStream(StreamIndex, const StreamInfo &) override {}
  void declareStack(uint32_t index, const RecordedStack &stack) override;
  void declarePhase(const RecordedPhase &) override {}
  void declareSwitch(const RecordedSwitch &) override {}
  /// Indexed like the stacks of the record.
  llvm::ArrayRef<ResolvedStack> stacks() const { return stacks_; }
  /// The innermost frame of a stack, expanded, outermost first: its function and, if the stack has
  /// its position, the functions inlined there, each an entry with the suffix of CallKind::inlined.
  /// Cached for each position. Has at least one element, and is valid until the next stack is
  /// declared. Not for stack 0.
  llvm::ArrayRef<FunctionIndex> framesOf(uint32_t stack) const;
  /// Makes framesOf() distinguish functions by the executed line. Call it before framesOf().
  void showLines() { showsLines_ = true; }
  /// Makes framesOf() leave out inlined functions. Call it before framesOf().
  void foldInlined() { foldsInlined_ = true; }
  /// The number of offsets that framesOf() has treated as unknown because they are in the code of
  /// another function.
  uint64_t strayOffsets() const { return strayOffsets_; }
  /// Whether a stack is that of an idle thread: V8's frame `(idle)` alone.
  bool isIdle(uint32_t stack) const {
    return stack != 0 && stacks_[stack].parent == 0 && stacks_[stack].function == idle_;
  }

  /// Distinguishes functions by call kind: suffixOf() is appended to the names of functions that
  /// were not entered by a direct call. Call it before the first id is looked up.
  void showCallKinds() { showsCallKinds_ = true; }
  /// Whether any id had a call kind.
  bool hasCallKinds() const { return hasCallKinds_; }
  /// The entry for the same function with this call kind.
  FunctionIndex enteredBy(CallKind kind, FunctionIndex function);

  /// Gives each module functions of its own, even if one mapping names those of all modules, or
  /// there is none. Call it before the first id is looked up.
  void distinguishModules() { distinguishesModules_ = true; }

  /// Renames the program's functions by `rename`, including those that are added later. Each is
  /// renamed when it is first accessed, as a record may use few of a mapping's functions. To be
  /// called at most once.
  void renameFunctions(std::string (*rename)(llvm::StringRef name));

  /// Makes names unique. If several modules have a name, the module's name is appended, as in
  /// `main (zlib)`. If renameFunctions() maps several names to one, all but the first are only
  /// demangled. Modules added later do not change names that were accessed before. Call it after
  /// renameFunctions() and before the first name is accessed.
  void distinguishNames();

  /// Renames files by `rename`, including those that are added later. Without it, paths are those
  /// of the mapping or the record without a leading `./`. To be called at most once.
  void renameFiles(std::function<std::string(llvm::StringRef path)> rename);

  /// Whether the file of any function is known by now.
  bool hasPlaces() const { return !files_.empty(); }

  /// The ids of the module; valid as long as the table.
  FunctionIds &idsOf(uint64_t moduleId);
  /// The ids of a stream's entries: its module's, or its own if it has several modules. Call it
  /// again for each batch, since modules may join the stream.
  FunctionIds &idsOf(StreamIndex index, const StreamInfo &stream) {
    return LLVM_LIKELY(stream.windows.empty()) ? idsOf(stream.moduleId) : idsOnStack(index, stream);
  }

  /// Whether a call of `callee`, made as the first thing in a call of `function`, and that call are
  /// one: `function` was imported from the module of `callee`.
  bool isLinkTo(FunctionIndex function, FunctionIndex callee) const {
    return isLinked(function) && functions_[function].module != functions_[callee].module &&
           !isSuspension(callee);
  }
  /// The entry of `callee` for the two calls as one, which has the kind of the former.
  FunctionIndex linkedBy(FunctionIndex function, FunctionIndex callee) const {
    return functions_[function].direct == function ? functions_[callee].direct : callee;
  }
  bool isLinked(FunctionIndex function) const {
    const Function &direct = functions_[functions_[function].direct];
    return direct.isLinked || (joinsImports_ && direct.isImported);
  }
  bool mayHaveLinks() const { return joinsImports_ || !linked_.empty(); }
  /// Treats all functions that are known to be imported as linked: also those bound to code of the
  /// host that calls the other module's function. Implies distinguishModules().
  void joinImports() { joinsImports_ = distinguishesModules_ = true; }
  /// Whether any function is known to be imported.
  bool knowsImports() const;

  /// Whether a function stands for time in which a stack did not run: it was suspended, or the
  /// recorder occupied its thread.
  bool isSuspension(FunctionIndex function) const {
    return functions_[function].id == suspendedId || isRecording(function);
  }
  bool isRecording(FunctionIndex function) const { return functions_[function].id == recordingId; }
  /// Whether there is any such function, and of which kind.
  bool hasSuspensions() const { return hasSuspendedStacks_ || hasRecordings_; }
  bool hasSuspendedStacks() const { return hasSuspendedStacks_; }
  bool hasRecordings() const { return hasRecordings_; }

  const Function &operator[](FunctionIndex index) const {
    Function &function = functions_[index];
    if (LLVM_UNLIKELY(function.awaitsRenaming))
      rename(function);
    return function;
  }
  size_t size() const { return functions_.size(); }
  llvm::ArrayRef<MappedModule> modules() const { return modules_; }
  uint64_t moduleIdOf(const Function &function) const { return modules_[function.module].moduleId; }
  /// The functions that a mapping gives the module, in the mapping's order.
  std::vector<const Function *> functionsOf(uint64_t moduleId) const;

  /// The JSON mapping's name of the module; empty if it has none.
  llvm::StringRef mappedModuleName(uint64_t moduleId) const;
  /// The same; `Module <id>` if it has none.
  std::string moduleName(uint64_t moduleId) const;

  /// The stream's name in the record, else its module's name; empty if neither has a name.
  llvm::StringRef streamName(const StreamInfo &stream) const;
  /// A description for messages, as in `module 16 (main)`; printable and never empty.
  std::string describe(const StreamInfo &stream) const;

  /// Whether names come from a mapping.
  bool hasMapping() const { return hasMapping_; }
  /// The module that the mapping file names as its own; nothing if it names none or several.
  std::optional<uint64_t> mappedModule() const { return mappedModule_; }
  /// The number of ids of the record that the mapping does not have.
  uint64_t unknownIds() const { return unknownIds_; }
  /// Maximum number of distinct ids without a mapping, over all modules, so that a record of random
  /// ids does not fill the memory with useless names. It equals the engines' limit on functions in
  /// a module.
  static constexpr uint32_t maxUnknownIds = 1u << 20;
  /// Whether there were more. The others of a module then share one function with id 0.
  bool hasIndistinctIds() const { return hasIndistinctIds_; }

  /// An entry for something that is no function, such as lost or cut calls. One for each
  /// name.
  FunctionIndex pseudoFunction(llvm::StringRef name) { return pseudoFunction(name, ""); }
  /// An entry for the place where all frames below it ran, distinct from others with its name.
  /// `attribute`: see Function; a literal.
  FunctionIndex pseudoFunction(llvm::StringRef name, llvm::StringLiteral attribute);

private:
  friend class FunctionIds;
  friend class MappingReader;

  void rename(Function &function) const;
  void collectNames() const;
  void distinguish(Function &function, llvm::StringRef recorded) const;
  std::string moduleLabel(uint32_t module) const;
  void renameInlined(Function &function) const;
  llvm::StringRef fileCalled(llvm::StringRef path) const;
  /// The position of a frame.
  struct CodePlace {
    FunctionIndex function;
    uint64_t moduleId;
    uint32_t offset;
    /// Empty until framesOf() computes it.
    llvm::ArrayRef<FunctionIndex> frames = {};
  };
  uint32_t codePlaceOf(FunctionIndex function, const RecordedStack &stack);
  llvm::ArrayRef<FunctionIndex> expand(const CodePlace &place) const;
  FunctionIndex inlined(uint32_t module, const struct SourceFrame &frame) const;
  FunctionIndex executing(FunctionIndex function, const struct SourceFrame &frame,
                          uint32_t offset) const;
  /// Sets a function's location from the places of its module, unless the mapping has set it.
  void applyPlace(Function &function);
  FunctionIndex addFunction(llvm::StringRef name, uint32_t module, int32_t id, bool known);
  FunctionIds &addModule(uint64_t moduleId, llvm::StringRef name);
  FunctionIds &idsOnStack(StreamIndex index, const StreamInfo &stream);
  FunctionIndex addReserved(uint32_t module, int32_t id);
  FunctionIndex textFrame(llvm::StringRef text);
  FunctionIndex findMarked(FunctionIndex unmarked, uint32_t marks);
  /// The function for the id in the mapping of all modules, as one of `module`.
  std::optional<FunctionIndex> adoptShared(uint32_t module, int32_t id);
  bool sharesFunctions() const { return sharedIds_ && !distinguishesModules_; }

  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers_;
  mutable llvm::BumpPtrAllocator allocator_;
  /// Mutable, since functions are renamed on access.
  mutable llvm::StringSaver saver_{allocator_};
  /// One function may be inlined into many.
  mutable llvm::StringMap<llvm::StringRef> renamedInlined_;
  mutable std::vector<Function> functions_;
  std::string (*rename_)(llvm::StringRef) = nullptr;
  std::function<std::string(llvm::StringRef)> renameFile_;
  bool distinguishesNames_ = false;
  /// The module of each recorded function name, or severalModules. Covers the first
  /// collectedNames_ functions.
  mutable llvm::DenseMap<llvm::CachedHashStringRef, uint32_t> moduleOfName_;
  mutable size_t collectedNames_ = 0;
  /// By shown name: the first recorded name that was renamed to it.
  mutable llvm::DenseMap<llvm::CachedHashStringRef, llvm::StringRef> recordedAs_;
  /// By path, one copy of each.
  mutable llvm::StringMap<llvm::StringRef> files_;
  /// Parallel to modules_; may be shorter.
  struct ModulePlaces {
    uint64_t moduleId = 0;
    std::shared_ptr<const SourcePlaces> places;
  };
  std::vector<ModulePlaces> places_;
  /// Owns the names of inlined functions.
  std::vector<std::shared_ptr<const SourcePlaces>> kept_;
  bool showsCallKinds_ = false;
  bool distinguishesModules_ = false;
  bool hasCallKinds_ = false;
  /// By direct function and kind.
  std::unordered_map<uint64_t, FunctionIndex> entered_;
  std::vector<MappedModule> modules_;
  /// Parallel to modules_. The ids that every module shares come first, if the mapping is a text.
  std::vector<std::unique_ptr<FunctionIds>> ids_;
  std::unordered_map<uint64_t, uint32_t> moduleOfId_;
  /// For streams with several modules.
  std::unordered_map<StreamIndex, std::unique_ptr<FunctionIds>> idsOnStack_;
  /// Total number of slots in their arrays.
  size_t stackSlots_ = 0;
  /// By module and id.
  std::set<std::pair<uint32_t, int32_t>> linked_;
  bool joinsImports_ = false;
  bool hasSuspendedStacks_ = false;
  bool hasRecordings_ = false;
  bool sharedIds_ = true;
  bool hasMapping_ = false;
  bool hasMappingFile_ = false;
  std::optional<uint64_t> mappedModule_;
  std::vector<ResolvedStack> stacks_;
  // Mutable, since framesOf() adds positions that it has not seen.
  mutable std::vector<CodePlace> codePlaces_;
  mutable std::unique_ptr<class CodeFrames> codeFrames_;
  /// By function, module and offset. Numbers begin at 1.
  llvm::DenseMap<std::tuple<FunctionIndex, uint64_t, uint32_t>, uint32_t> codePlaceNumbers_;
  /// By module, name, file and line; by function, file and line. Strings are interned, so pointers
  /// identify them.
  mutable llvm::DenseMap<std::tuple<uint32_t, const char *, const char *, uint32_t>, FunctionIndex>
      inlined_;
  mutable llvm::DenseMap<std::tuple<FunctionIndex, const char *, uint32_t>, FunctionIndex>
      executing_;
  mutable uint64_t strayOffsets_ = 0;
  mutable size_t expandedFrames_ = 0;
  bool showsLines_ = false;
  bool foldsInlined_ = false;
  /// The text frame of an idle thread, once a stack has had it.
  FunctionIndex idle_ = FunctionIds::unresolved;
  llvm::StringMap<FunctionIndex> textFrames_;
  std::map<std::pair<llvm::StringRef, std::string>, FunctionIndex> pseudoFunctions_;
  uint64_t unknownIds_ = 0;
  bool hasIndistinctIds_ = false;
};

} // namespace warpo

#endif
