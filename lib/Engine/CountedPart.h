//===- CountedPart.h - What is counted in a section or phase --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Instances count from their beginning to their end. Of a part of the run (RunRequest::countsOf)
// their counters are read where it begins and where it ends, each time, and differences are added
// up. js/host/counted-part.mjs does the same in V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_COUNTEDPART_H
#define WARPO_LIB_ENGINE_COUNTEDPART_H

#include "Artifacts.h"
#include "warpo/Engine/ProgramUnit.h"

namespace warpo {

class CountedPart {
public:
  /// The open calls, innermost first; nothing: they are not known.
  using Stack = std::optional<std::vector<TrapFrame>>;

  explicit CountedPart(llvm::StringRef name) : name_(name) {}

  /// A section of a unit begins, or without one a phase in which the program runs. True if the part
  /// does: then read() is to be called.
  bool begin(const ProgramUnit *unit, llvm::StringRef name);
  /// The innermost open one ends, if it is of this unit. True if the part does.
  bool end(const ProgramUnit *unit);
  /// Sections of all units end.
  bool endSections();
  /// Whether a part has begun and not ended, and does so now.
  bool endAll();

  /// The part begins or ends: reads the counters of an instance. Before there is one, it is null.
  /// Not called behind a phase's end if the part has not begun.
  llvm::Error read(const ProgramUnit &unit, StoppedInstance *instance, const Stack &stack);

  const PartCounts &countsOf(const ProgramUnit &unit);

private:
  struct Open {
    const ProgramUnit *unit;
    bool isPart;
  };
  struct Instance {
    /// Nothing: it does not count.
    std::optional<wasm::Artifact> artifact;
    std::vector<uint64_t> before;
    PartCounts counts;
  };

  /// Whether the innermost one to end was the part, and no other around it is.
  bool pop();
  llvm::Expected<Instance &> find(const ProgramUnit &unit);

  std::string name_;
  std::vector<Open> open_;
  /// How many of those are the part: a section may call itself.
  size_t depth_ = 0;
  std::map<const ProgramUnit *, Instance> instances_;
};

} // namespace warpo

#endif
