//===- Declarations.h - What the entries of a record refer to --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Modules, streams, stacks, phases and switches between stacks are declared in a record,
// each before the first entry that refers to it. Observe the reader to be notified of
// each.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_DECLARATIONS_H
#define WARPO_RECORD_DECLARATIONS_H

#include "warpo/Record/RecordBatch.h"
#include "warpo/Record/SourcePlaces.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpo {

/// A module's declaration: its identity and its mapping.
struct RecordedModule {
  struct Function {
    int32_t id;
    /// Into `names`.
    uint32_t offset;
    uint32_t size;
  };

  uint64_t id = 0;
  std::string name;
  /// BLAKE3 of the original module; empty if unknown, as is its build id.
  std::string hash;
  std::string buildId;
  std::vector<Function> functions;
  /// The names of all functions, concatenated.
  std::string names;
  /// Imported functions that were bound to functions of other modules of the record, by their ids:
  /// a call of both is one call. Each once.
  std::vector<int32_t> linked;
  /// Null if the record has no source places.
  std::shared_ptr<const SourcePlaces> places;

  llvm::StringRef nameOf(const Function &function) const {
    return llvm::StringRef(names).substr(function.offset, function.size);
  }
  void addFunction(int32_t function, llvm::StringRef name) {
    functions.push_back({function, uint32_t(names.size()), uint32_t(name.size())});
    names += name;
  }
};

/// A stack of a sample: its innermost frame, and the stack around that.
struct RecordedStack {
  /// A smaller index of RecordHeader::stacks.
  uint32_t parent = 0;
  /// The frame's function: its module's id and its own. Id 0: a frame with a text only, such as a
  /// guest program's.
  int32_t id = 0;
  uint64_t moduleId = 0;
  std::string text = {};
  /// The frame's position in the original module: bytes from the start of its code section's
  /// contents, as in DWARF, to the call that it made or to its next instruction. 0: unknown. Stacks
  /// may differ in this alone.
  uint32_t offset = 0;
};

/// Work that the host did for the program.
struct RecordedPhase {
  std::string name;
  /// Counts of the record's clock, modulo 2^64: some are before its origin, or before 0 in a merged
  /// record. Both are 0 if fuel is the only clock.
  uint64_t begin = 0, end = 0;
  /// What `ticks` counts, in the plural; empty: the amount is unknown.
  std::string unit;
  uint64_t ticks = 0;
  /// In a merged record, the name of its original record; else empty.
  std::string run = {};

  uint64_t duration() const { return end - begin; }
};

/// A thread switches from one stack to another; the two belong to different streams.
struct RecordedSwitch {
  enum class Kind : uint8_t {
    /// Calls that begin on the stack from here on belong to a task, started by `from`. Stack 0:
    /// started by the host, or unknown.
    starts,
    /// The suspended stack continues, resumed by `from`.
    resumes,
    /// The stack, which had started or resumed `from` in its innermost call, continues.
    returns,
  };

  Kind kind;
  /// The stack that runs now, and its clock's count. Both counts of a stream never decrease from
  /// one switch to the next.
  StreamIndex stream;
  uint64_t time;
  /// The stack that ran before, and its clock's count; the same stream if unknown.
  StreamIndex from;
  uint64_t at;
  /// The open calls on `from`, an index into RecordHeader::stacks; 0 if unknown or
  /// irrelevant.
  uint32_t stack = 0;
};

/// Is notified of each declaration of a record once, in the record's order and before the first
/// batch that refers to it. No function has a default, so that a new kind of declaration does not
/// compile until each observer handles it. Modules, streams and stacks are numbered from 0.
class DeclarationObserver {
public:
  virtual ~DeclarationObserver();

  /// A module, or further functions of a known one: `added` are the last of its functions.
  virtual void declareModule(size_t index, const RecordedModule &module,
                             llvm::ArrayRef<RecordedModule::Function> added) = 0;
  /// Further linked functions of a module: `added` are the last of them.
  virtual void declareLinkedFunctions(size_t index, const RecordedModule &module,
                                      llvm::ArrayRef<int32_t> added) = 0;
  /// The source places of a module's functions. They replace earlier ones, also for functions
  /// declared later. Its `places` are not null.
  virtual void declarePlaces(size_t index, const RecordedModule &module) = 0;
  /// A stream, or new information about a declared one: the measure of its samples, further
  /// modules.
  virtual void declareStream(StreamIndex index, const StreamInfo &stream) = 0;
  /// Stack 0, which has no frames, is never declared.
  virtual void declareStack(uint32_t index, const RecordedStack &stack) = 0;
  /// Most records have them at their end.
  virtual void declarePhase(const RecordedPhase &phase) = 0;
  /// In the order of each stream.
  virtual void declareSwitch(const RecordedSwitch &change) = 0;
};

} // namespace warpo

#endif
