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
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace warpo {

/// A dense number of a function, over all modules of a FunctionTable.
using FunctionIndex = uint32_t;

/// The ids of one module's functions, or of those of a stream of several modules. Grows when an id
/// is met that the mapping does not have. Memory is O(ids), wherever they lie.
class FunctionIds {
public:
  /// The function with this id; one is made for an unknown id. `id` must be positive.
  FunctionIndex find(int32_t id) {
    // One subtraction, one comparison, one load for the ids that instrumenting gives.
    uint32_t slot = uint32_t(id) - firstId;
    if (slot < dense_.size() && dense_[slot] != unresolved)
      return dense_[slot];
    return findSlowly(id);
  }

  /// The first id that instrumenting gives.
  static constexpr uint32_t firstId = firstFunctionId;
  /// Stands in dense() for an id that has not been met.
  static constexpr FunctionIndex unresolved = UINT32_MAX;
  /// The functions of the ids from firstId on, for loops that cannot afford a call. find() may move
  /// them.
  llvm::ArrayRef<FunctionIndex> dense() const { return dense_; }
  /// The same for ids with marks (CallKind.h), which dense() does not have, at the places that
  /// markedPlace() gives.
  llvm::ArrayRef<FunctionIndex> marked() const { return marked_; }
  /// `slot` counts from firstId. No place at all for an id without marks.
  static uint32_t markedPlace(uint32_t slot) {
    uint32_t marks = slot / maxMarkedFunctions - 1;
    return marks < 3 ? slot % maxMarkedFunctions * 3 + marks : UINT32_MAX;
  }

private:
  friend class FunctionTable;
  friend class MappingReader;

  /// What find() returns, if that is known already.
  std::optional<FunctionIndex> known(int32_t id) const;
  FunctionIds(class FunctionTable &table, uint32_t module) : table_(table), module_(module) {}
  /// False if the id had a function, which is replaced.
  bool add(int32_t id, FunctionIndex function);
  FunctionIndex findSlowly(int32_t id);
  FunctionIndex findMarked(int32_t id);
  size_t denseLimit() const;
  /// Moves the ids that lie close enough to others now from the hash map to the array.
  void settle();
  FunctionIndex findOnStack(int32_t id);

  /// Of a stream of several modules: whose functions its ids are.
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
  /// In both.
  size_t count_ = 0;
  /// How many ids in sparse_ are worth the next settle().
  size_t nextSettling_ = 64;
  FunctionIndex remainingUnknown_ = unresolved;
  std::unique_ptr<Stack> stack_;
};

struct Function {
  llvm::StringRef name;
  /// An index into FunctionTable::modules().
  uint32_t module;
  /// 0 for what is no function of the program (lost), or more than one (unknown functions).
  int32_t id;
  /// False if the mapping did not have the id.
  bool known;
  /// Where it is defined, as FunctionTable::renameFiles() has it, and a hash of its code; empty and
  /// 0 if neither the mapping nor the record says it.
  llvm::StringRef file = {};
  uint32_t line = 0;
  uint64_t bodyHash = 0;
  /// What was inlined into it, that with the most code first.
  llvm::ArrayRef<llvm::StringRef> inlined = {};
  /// Where in it a frame was executing, as renameFiles() has the file: it is an entry of its own
  /// then. Empty and 0 if that is unknown, or lines are not shown.
  llvm::StringRef executedFile = {};
  uint32_t executedLine = 0;
  /// Of the code there, as in RecordedStack: the one that was met first.
  uint32_t executedOffset = 0;
  /// A frame of a stack that has this name and no function.
  bool isTextFrame = false;
  /// Its code stands in that of the frame around it. It has no id.
  bool isInlined = false;
  /// Known to be an imported function: what it calls is called by the host.
  bool isImported = false;
  /// The same function entered by a direct call, which is itself, unless call kinds are shown.
  FunctionIndex direct = 0;
  /// See FunctionTable::renameFunctions() and tellNamesApart().
  bool awaitsRenaming = false;
  /// Of a frame that is no call but says where all below it ran: the attribute that has its name as
  /// a value where samples have attributes, such as `thread.name`; else empty.
  llvm::StringRef attribute = {};
};

/// A stack of a sample, with its functions found.
struct ResolvedStack {
  /// Its innermost frame; of the first one, which has none, meaningless.
  FunctionIndex function;
  /// A smaller index of FunctionTable::stacks().
  uint32_t parent;
  /// Where in the function it was executing, a number of the table's own; 0: unknown.
  uint32_t place = 0;
};

struct MappedModule {
  uint64_t moduleId;
  std::string name;
};

/// All functions that a record may name, and those that it named without being in a mapping.
///
/// A text mapping holds for every module of the record; a JSON mapping gives each module its own.
/// Names refer to the mapping's bytes, which the table keeps. It observes the reader of the record
/// for the names that this holds (next to a mapping file, those of sections), and for its stacks.
class FunctionTable : public DeclarationObserver {
public:
  /// Without a mapping: functions are called `function <id>`.
  FunctionTable();
  ~FunctionTable() override;
  FunctionTable(const FunctionTable &) = delete;
  FunctionTable &operator=(const FunctionTable &) = delete;

  /// Reads a mapping file: text, or JSON if its first character is `[` or `{`. Lines of text that
  /// say nothing go to `damage`; a JSON file of another shape than docs/mapping.md's is an error.
  static llvm::Expected<std::unique_ptr<FunctionTable>> load(llvm::StringRef path,
                                                             DamageReport &damage);

  void declareModule(size_t index, const RecordedModule &module,
                     llvm::ArrayRef<RecordedModule::Function> added) override;
  void declarePlaces(size_t index, const RecordedModule &module) override;
  void declareStream(StreamIndex, const StreamInfo &) override {}
  void declareStack(uint32_t index, const RecordedStack &stack) override;
  void declarePhase(const RecordedPhase &) override {}
  void declareSwitch(const RecordedSwitch &) override {}
  /// By the indices of the record.
  llvm::ArrayRef<ResolvedStack> stacks() const { return stacks_; }
  /// What the innermost frame of a stack comes to, outermost first: its function and, where the
  /// stack says where that was executing, what was inlined there, each an entry with the suffix of
  /// CallKind::inlined. Found out once for each place. At least one; valid until the next stack is
  /// declared. Not of stack 0.
  llvm::ArrayRef<FunctionIndex> framesOf(uint32_t stack) const;
  /// Functions of framesOf() are told apart by the line that was executed. Before it is asked for.
  void showLines() { showsLines_ = true; }
  /// framesOf() has no inlined functions. Before it is asked for.
  void foldInlined() { foldsInlined_ = true; }
  /// How many offsets framesOf() has taken for unknown, since they lie in the code of another
  /// function.
  uint64_t strayOffsets() const { return strayOffsets_; }
  /// Whether a stack says that its thread waited: V8's frame `(idle)`, alone.
  bool isIdle(uint32_t stack) const {
    return stack != 0 && stacks_[stack].parent == 0 && stacks_[stack].function == idle_;
  }

  /// Functions are told apart by how they were entered: not if it was by a direct call, else
  /// suffixOf() that stands behind the name. Before the first id is looked up.
  void showCallKinds() { showsCallKinds_ = true; }
  /// Whether any id told how its function was entered.
  bool hasCallKinds() const { return hasCallKinds_; }
  /// The same function, shown as entered so.
  FunctionIndex enteredBy(CallKind kind, FunctionIndex function);

  /// Each module has functions of its own, even where one mapping names those of all, or none does.
  /// Before the first id is looked up.
  void tellModulesApart() { tellsModulesApart_ = true; }

  /// The program's functions, those too that come later, are called what `rename` makes of their
  /// names: each when it is first looked at, as a record may name few of a mapping's. Once, at
  /// most.
  void renameFunctions(std::string (*rename)(llvm::StringRef name));

  /// Names alone tell functions apart. One that several modules have gets the module's behind it,
  /// as in `main (zlib)`; one that renameFunctions() makes of another name too, and that other one
  /// came first, is demangled and no more. Later modules change no name that was looked at. After
  /// renameFunctions(), before a name is looked at.
  void tellNamesApart();

  /// Files are called what `rename` makes of their paths, those too that come later. Without it, a
  /// path has lost its `./` and is else as the mapping or the record has it. Once, at most.
  void renameFiles(std::function<std::string(llvm::StringRef path)> rename);

  /// Whether the file of any function is known by now.
  bool hasPlaces() const { return !files_.empty(); }

  /// The ids of the module; stays valid as long as the table.
  FunctionIds &idsOf(uint64_t moduleId);
  /// The ids of a stream's entries: its module's, or, of several modules, its own. To be asked for
  /// again with each batch, since modules may join.
  FunctionIds &idsOf(StreamIndex index, const StreamInfo &stream) {
    return LLVM_LIKELY(stream.windows.empty()) ? idsOf(stream.moduleId) : idsOnStack(index, stream);
  }

  /// Whether a function stands for the time in which a stack did not run: it was suspended, or the
  /// recorder had its thread.
  bool isSuspension(FunctionIndex function) const {
    return functions_[function].id == suspendedId || isRecording(function);
  }
  bool isRecording(FunctionIndex function) const { return functions_[function].id == recordingId; }
  /// Whether there is any, and of which of the two kinds.
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
  /// The same, else `Module <id>`.
  std::string moduleName(uint64_t moduleId) const;

  /// What a stream is called: as the record says, else as its module; empty if neither has a name.
  llvm::StringRef streamName(const StreamInfo &stream) const;
  /// For texts, as in `module 16 (main)`: always something, and fit to be shown.
  std::string describe(const StreamInfo &stream) const;

  /// Whether names come from a mapping.
  bool hasMapping() const { return hasMapping_; }
  /// The module that the mapping file says it is of; nothing if it does not, or is of several.
  std::optional<uint64_t> mappedModule() const { return mappedModule_; }
  /// How many ids of the record the mapping does not have.
  uint64_t unknownIds() const { return unknownIds_; }
  /// So many ids without a mapping are told apart, over all modules: a record of random ids must
  /// not fill the memory with names that say nothing. As many as engines let a module have
  /// functions.
  static constexpr uint32_t maxUnknownIds = 1u << 20;
  /// Whether there were more: then the others of a module share a function called so, with id 0.
  bool hasIndistinctIds() const { return hasIndistinctIds_; }

  /// A function that stands for something that is no function: what is lost, what was cut. One for
  /// each name.
  FunctionIndex pseudoFunction(llvm::StringRef name) { return pseudoFunction(name, ""); }
  /// One that says where all below it ran, apart from others of its name. `attribute`: see
  /// Function, a literal.
  FunctionIndex pseudoFunction(llvm::StringRef name, llvm::StringLiteral attribute);

private:
  friend class FunctionIds;
  friend class MappingReader;

  void rename(Function &function) const;
  void collectNames() const;
  void tellApart(Function &function, llvm::StringRef recorded) const;
  std::string moduleLabel(uint32_t module) const;
  void renameInlined(Function &function) const;
  llvm::StringRef fileCalled(llvm::StringRef path) const;
  /// Where a frame was executing.
  struct CodePlace {
    FunctionIndex function;
    uint64_t moduleId;
    uint32_t offset;
    /// Empty until it is asked for.
    llvm::ArrayRef<FunctionIndex> frames = {};
  };
  uint32_t codePlaceOf(FunctionIndex function, const RecordedStack &stack);
  llvm::ArrayRef<FunctionIndex> expand(const CodePlace &place) const;
  FunctionIndex inlined(uint32_t module, const struct SourceFrame &frame) const;
  FunctionIndex executing(FunctionIndex function, const struct SourceFrame &frame,
                          uint32_t offset) const;
  /// Says of a function what the places of its module do, unless a mapping has said it.
  void applyPlace(Function &function);
  FunctionIndex addFunction(llvm::StringRef name, uint32_t module, int32_t id, bool known);
  FunctionIds &addModule(uint64_t moduleId, llvm::StringRef name);
  FunctionIds &idsOnStack(StreamIndex index, const StreamInfo &stream);
  FunctionIndex addReserved(uint32_t module, int32_t id);
  FunctionIndex textFrame(llvm::StringRef text);
  FunctionIndex findMarked(FunctionIndex unmarked, uint32_t marks);
  /// The function that the mapping of all modules has for the id, as one of `module`.
  std::optional<FunctionIndex> adoptShared(uint32_t module, int32_t id);
  bool sharesFunctions() const { return sharedIds_ && !tellsModulesApart_; }

  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers_;
  mutable llvm::BumpPtrAllocator allocator_;
  /// These change where a function gets its name late.
  mutable llvm::StringSaver saver_{allocator_};
  /// One function may be inlined into many.
  mutable llvm::StringMap<llvm::StringRef> renamedInlined_;
  mutable std::vector<Function> functions_;
  std::string (*rename_)(llvm::StringRef) = nullptr;
  std::function<std::string(llvm::StringRef)> renameFile_;
  bool tellsNamesApart_ = false;
  /// By a function's name in the record: its module, or severalModules. Of the first
  /// collectedNames_ functions.
  mutable llvm::DenseMap<llvm::CachedHashStringRef, uint32_t> moduleOfName_;
  mutable size_t collectedNames_ = 0;
  /// By shown name, the first recorded one that it was made of.
  mutable llvm::DenseMap<llvm::CachedHashStringRef, llvm::StringRef> recordedAs_;
  /// By path, one copy of each.
  mutable llvm::StringMap<llvm::StringRef> files_;
  /// Parallel to modules_, as far as there are any.
  struct ModulePlaces {
    uint64_t moduleId = 0;
    std::shared_ptr<const SourcePlaces> places;
  };
  std::vector<ModulePlaces> places_;
  /// What names of inlined functions refer to.
  std::vector<std::shared_ptr<const SourcePlaces>> kept_;
  bool showsCallKinds_ = false;
  bool tellsModulesApart_ = false;
  bool hasCallKinds_ = false;
  /// By direct function and kind.
  std::unordered_map<uint64_t, FunctionIndex> entered_;
  std::vector<MappedModule> modules_;
  /// Parallel to modules_. The ids that every module shares come first, if the mapping is a text.
  std::vector<std::unique_ptr<FunctionIds>> ids_;
  std::unordered_map<uint64_t, uint32_t> moduleOfId_;
  /// Of streams of several modules.
  std::unordered_map<StreamIndex, std::unique_ptr<FunctionIds>> idsOnStack_;
  /// Slots of their arrays, all together.
  size_t stackSlots_ = 0;
  bool hasSuspendedStacks_ = false;
  bool hasRecordings_ = false;
  bool sharedIds_ = true;
  bool hasMapping_ = false;
  bool hasMappingFile_ = false;
  std::optional<uint64_t> mappedModule_;
  std::vector<ResolvedStack> stacks_;
  // These grow where framesOf() is asked for a place that it has not seen.
  mutable std::vector<CodePlace> codePlaces_;
  mutable std::unique_ptr<class CodeFrames> codeFrames_;
  /// By function, module and offset, numbers from 1.
  llvm::DenseMap<std::tuple<FunctionIndex, uint64_t, uint32_t>, uint32_t> codePlaceNumbers_;
  /// By module, name, file and line; by function, file and line. Texts are those that the table has
  /// one copy of.
  mutable llvm::DenseMap<std::tuple<uint32_t, const char *, const char *, uint32_t>, FunctionIndex>
      inlined_;
  mutable llvm::DenseMap<std::tuple<FunctionIndex, const char *, uint32_t>, FunctionIndex>
      executing_;
  mutable uint64_t strayOffsets_ = 0;
  mutable size_t expandedFrames_ = 0;
  bool showsLines_ = false;
  bool foldsInlined_ = false;
  /// The frame of text of a thread that waits, once a stack had it.
  FunctionIndex idle_ = FunctionIds::unresolved;
  llvm::StringMap<FunctionIndex> textFrames_;
  std::map<std::pair<llvm::StringRef, std::string>, FunctionIndex> pseudoFunctions_;
  uint64_t unknownIds_ = 0;
  bool hasIndistinctIds_ = false;
};

} // namespace warpo

#endif
