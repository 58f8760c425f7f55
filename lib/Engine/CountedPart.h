//===- CountedPart.h - Counts in a section or phase -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Instances count from begin to end. For a part of the run (RunRequest::countsOf), their counters
// are read whenever it begins or ends, and the differences are added up. js/host/counted-part.mjs
// does the same in V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_COUNTEDPART_H
#define WARPO_LIB_ENGINE_COUNTEDPART_H

#include "Artifacts.h"
#include "warpo/Engine/ProgramUnit.h"

namespace warpo {

class CountedPart {
public:
  /// The open calls, innermost first; nothing if unknown.
  using Stack = std::optional<std::vector<TrapFrame>>;

  explicit CountedPart(llvm::StringRef name) : name_(name) {}

  /// A section of a unit begins or, without a unit, a phase in which the program runs. Returns true
  /// if the part begins with it: then read() must be called.
  bool begin(const ProgramUnit *unit, llvm::StringRef name);
  /// The innermost open section or phase ends, if it belongs to this unit. Returns true if the part
  /// ends with it.
  bool end(const ProgramUnit *unit);
  /// The sections of all units end. Returns true if the part ends.
  bool endSections();
  /// Everything ends. Returns true if the part ends.
  bool endAll();

  /// Reads the counters of an instance, when the part begins or ends. `instance` is null if there
  /// is none yet.
  llvm::Error read(const ProgramUnit &unit, StoppedInstance *instance, const Stack &stack);

  const PartCounts &countsOf(const ProgramUnit &unit);

private:
  struct Open {
    const ProgramUnit *unit;
    bool isPart;
  };
  struct Instance {
    /// Nothing if the module has no counts.
    std::optional<wasm::Artifact> artifact;
    /// When the part began; nothing if they could not be read then.
    std::optional<std::vector<uint64_t>> before = std::vector<uint64_t>();
    PartCounts counts;
  };

  /// Ends the innermost one. Returns true if the part ends with it: it was the part, and no other
  /// open one is.
  bool pop();
  llvm::Expected<Instance &> find(const ProgramUnit &unit);

  std::string name_;
  std::vector<Open> open_;
  /// How many of these are the part: a section may be recursive.
  size_t depth_ = 0;
  std::map<const ProgramUnit *, Instance> instances_;
};

} // namespace warpo

#endif
