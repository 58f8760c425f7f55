//===- PhaseLog.h - What the host does for a program, step by step --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The phases of a run, as they go into the record: `decode` (the files are read), `compile`, `link`
// (imports are found), `start` (data, elements, the start function) and `run`. Some happen before
// the record is opened, whose clock is not known then: both that it may have are read.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_PHASELOG_H
#define WARPO_LIB_ENGINE_PHASELOG_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace warpo {

class PhaseLog {
public:
  /// The engine's own: others have it differently or not at all, and so has the next run of an
  /// engine that keeps what it compiles. A record without any time does not say it.
  static constexpr llvm::StringLiteral compile = "compile";

  struct Moment {
    uint64_t counter;
    uint64_t nanoseconds;
  };
  struct Phase {
    const char *name;
    Moment begin, end;
    /// What is counted, in the plural; null: nothing is known of how much there was.
    const char *unit = nullptr;
    uint64_t ticks = 0;
  };

  /// Begins a phase; one that has not ended ends. The name lives as long as the log.
  void begin(const char *name) {
    end();
    phases_.push_back({name, now(), {}});
    isOpen_ = true;
  }
  /// Ends the phase, if there is one.
  void end() {
    if (isOpen_)
      phases_.back().end = now();
    isOpen_ = false;
  }
  /// The same; it did so much.
  void end(const char *unit, uint64_t ticks) {
    if (!isOpen_)
      return;
    phases_.back().unit = unit;
    phases_.back().ticks = ticks;
    end();
  }
  const std::vector<Phase> &phases() const { return phases_; }
  /// From the beginning of the first `start` to the end of the last phase: the program itself.
  uint64_t runNanoseconds() const;

private:
  static Moment now();

  std::vector<Phase> phases_;
  bool isOpen_ = false;
};

} // namespace warpo

#endif
