//===- Declarations.h - What the entries of a record refer to --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Modules, streams, stacks, phases and switches between stacks stand in a record between its
// entries, each before the first entry that refers to it. To be notified of each, observe the
// reader.
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

/// What a record says of a module: its identity and its mapping.
struct RecordedModule {
  struct Function {
    int32_t id;
    /// In `names`.
    uint32_t offset;
    uint32_t size;
  };

  uint64_t id = 0;
  std::string name;
  /// BLAKE3 of the original module; empty where unknown, as is its build id.
  std::string hash;
  std::string buildId;
  std::vector<Function> functions;
  /// Of all functions, one behind the other.
  std::string names;
  /// Null where the record does not say where they come from.
  std::shared_ptr<const SourcePlaces> places;

  llvm::StringRef nameOf(const Function &function) const {
    return llvm::StringRef(names).substr(function.offset, function.size);
  }
  void addFunction(int32_t function, llvm::StringRef name) {
    functions.push_back({function, uint32_t(names.size()), uint32_t(name.size())});
    names += name;
  }
};

/// A stack of a sampled program: its innermost frame, and the stack around that.
struct RecordedStack {
  /// A smaller index of RecordHeader::stacks.
  uint32_t parent = 0;
  /// The frame's function: a module's identifier and an id. Id 0: none, but a text, as of a guest
  /// program's frame.
  int32_t id = 0;
  uint64_t moduleId = 0;
  std::string text = {};
  /// Where in the original module the frame was executing: bytes from the beginning of its code
  /// section's contents, as in DWARF, to the call that it had made or the instruction that was
  /// next. 0: unknown. Stacks may differ in this alone.
  uint32_t offset = 0;
};

/// Something that the host did for the program.
struct RecordedPhase {
  std::string name;
  /// In counts of the record's clock, modulo 2^64: some lie before its origin, and those of a
  /// merged record before its 0. Both 0 where fuel is the only clock.
  uint64_t begin = 0, end = 0;
  /// What `ticks` counts, in the plural; empty: the amount is unknown.
  std::string unit;
  uint64_t ticks = 0;
  /// Where several records became one, the name of the one that it is of; else empty.
  std::string run = {};

  uint64_t duration() const { return end - begin; }
};

/// A thread goes from one stack to another, which belong to different streams.
struct RecordedSwitch {
  enum class Kind : uint8_t {
    /// Calls that begin on the stack from here on are those of a task, which `from` started. Stack
    /// 0: the host did, or it is not known what did.
    starts,
    /// The stack was suspended and goes on, since `from` made it.
    resumes,
    /// The stack had started or resumed `from`, which ran within its innermost call, and goes on.
    returns,
  };

  Kind kind;
  /// The stack that runs now, and the count of its clock. Both counts of a stream never decrease
  /// from one switch to the next.
  StreamIndex stream;
  uint64_t time;
  /// The stack that ran before, and what that one's clock stood at; the same stream if unknown.
  StreamIndex from;
  uint64_t at;
  /// The calls that were open on `from`, an index into RecordHeader::stacks; 0 if it is not known,
  /// or of no interest.
  uint32_t stack = 0;
};

/// Learns of each declaration of a record once, in the record's order and before the first batch
/// that refers to it. No function has a default: a new kind of declaration does not compile until
/// each observer says what it means there. Modules, streams and stacks are numbered from 0.
class DeclarationObserver {
public:
  virtual ~DeclarationObserver();

  /// A module, or further functions of a known one: `added` are the last of its functions.
  virtual void declareModule(size_t index, const RecordedModule &module,
                             llvm::ArrayRef<RecordedModule::Function> added) = 0;
  /// Where a module's functions come from, which replaces what was said of it before and holds for
  /// functions that are declared later too. Its `places` are not null.
  virtual void declarePlaces(size_t index, const RecordedModule &module) = 0;
  /// A stream, or what is now known of one that has been declared: what its samples are due by, and
  /// further modules.
  virtual void declareStream(StreamIndex index, const StreamInfo &stream) = 0;
  /// Stack 0, the one without frames, is never declared.
  virtual void declareStack(uint32_t index, const RecordedStack &stack) = 0;
  /// Most records have them at their end.
  virtual void declarePhase(const RecordedPhase &phase) = 0;
  /// In the order in which each stream has them.
  virtual void declareSwitch(const RecordedSwitch &change) = 0;
};

} // namespace warpo

#endif
