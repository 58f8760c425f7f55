//===- PhaseLog.h - The host's phases of a run ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The phases of a run, as recorded: `decode` (reads files), `compile`, `link` (resolves imports),
// `start` (data, elements, the start function) and `run`. Some happen before the record is opened
// and its clock is known, so both possible clocks are read.
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
  /// Depends on the engine, and on whether it has cached the compiled code, so that a record
  /// without times omits this phase.
  static constexpr llvm::StringLiteral compile = "compile";

  struct Moment {
    uint64_t counter;
    uint64_t nanoseconds;
  };
  struct Phase {
    const char *name;
    Moment begin, end;
    /// The unit of `ticks`, in the plural; null if there is no amount.
    const char *unit = nullptr;
    uint64_t ticks = 0;
  };

  /// Begins a phase, and ends an open one. `name` must outlive the log.
  void begin(const char *name) {
    end();
    phases_.push_back({name, now(), {}});
    isOpen_ = true;
  }
  /// Ends the open phase, if any.
  void end() {
    if (isOpen_)
      phases_.back().end = now();
    isOpen_ = false;
  }
  /// The same, with the amount of work done.
  void end(const char *unit, uint64_t ticks) {
    if (!isOpen_)
      return;
    phases_.back().unit = unit;
    phases_.back().ticks = ticks;
    end();
  }
  const std::vector<Phase> &phases() const { return phases_; }
  /// The run time of the program itself: from the begin of the first `start` to the end of the last
  /// phase.
  uint64_t runNanoseconds() const;

private:
  static Moment now();

  std::vector<Phase> phases_;
  bool isOpen_ = false;
};

} // namespace warpo

#endif
