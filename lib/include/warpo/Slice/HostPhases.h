//===- HostPhases.h - Finds the host's phase at a moment ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record has at its end the phases of the host's work for the program (RecordHeader::phases).
// This finds the phase at a moment. Phases with equal names are one phase, such as `link` of
// several modules.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_HOSTPHASES_H
#define WARPO_SLICE_HOSTPHASES_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace warpo {

/// The time of one run, or its fuel if that is the only clock, with a phase for each moment: the
/// innermost, which is the one that began last.
class RunPhases {
public:
  static constexpr uint32_t noPhase = UINT32_MAX;

  /// Reaches from one begin or end of a phase to the next. Moments are keys, see
  /// HostPhases::keyOf().
  struct Span {
    uint64_t from;
    uint64_t to;
    /// The phase at the moment `from` itself, at which another phase may have ended.
    uint32_t phaseAtStart;
    uint32_t phase;
  };
  struct Interval {
    uint64_t begin;
    uint64_t end;
    uint32_t phase;
  };

  RunPhases() = default;
  /// If two phases begin together, the later in the list wins.
  explicit RunPhases(llvm::ArrayRef<Interval> phases);

  uint32_t find(uint64_t key) const;
  /// In order, without gaps; the last one is empty.
  llvm::ArrayRef<Span> spans() const { return spans_; }
  /// The spans from the one that contains `key` on.
  llvm::ArrayRef<Span> spansFrom(uint64_t key) const;

private:
  std::vector<Span> spans_;
};

/// The run that a stream of joined records belongs to; empty if none.
llvm::StringRef runNameOf(const StreamInfo &stream,
                          llvm::function_ref<bool(llvm::StringRef)> isRun);

class HostPhases {
public:
  /// The attribute of phases' frames, see Function.
  static constexpr llvm::StringLiteral attribute = "warpo.phase";

  /// All phases with this name.
  struct Phase {
    std::string name;
    /// The number of phases with this name.
    uint64_t count = 0;
    /// By measure. For time, the counts in which the phase was the innermost. For other measures,
    /// the ticks; nothing if the phases have another unit, or one has unknown ticks.
    std::array<std::optional<uint64_t>, maxMeasures> amounts = {};
  };

  /// The record must have been read to its end. Fails if it has no phases, or if fuel is the only
  /// clock and the end of a phase is unknown on it.
  static llvm::Expected<HostPhases> create(const RecordHeader &header);

  llvm::ArrayRef<Phase> phases() const { return phases_; }
  bool hasTime() const { return hasTime_; }
  /// The key of a time of the record. Keys are ordered like times.
  uint64_t keyOf(uint64_t time) const { return time - zero_; }
  uint64_t timeOf(uint64_t key) const { return key + zero_; }
  /// The name of the stream's run; empty if it belongs to none with phases.
  llvm::StringRef runNameOf(const StreamInfo &stream) const;
  /// Null if the stream belongs to no run with phases.
  const RunPhases *runOf(const StreamInfo &stream) const;
  /// The pseudo functions that stand for the phases.
  std::vector<FunctionIndex> framesIn(FunctionTable &functions) const;

private:
  uint32_t phaseCalled(llvm::StringRef name);
  void placeByTime(const RecordHeader &header);
  llvm::Error placeByCounts(const RecordHeader &header);

  std::vector<Phase> phases_;
  llvm::StringMap<uint32_t> phaseOfName_;
  /// By name; empty in a record that was not joined.
  std::map<std::string, RunPhases, std::less<>> runs_;
  /// The time with key 0: moments before the record's origin get smaller keys than the origin.
  uint64_t zero_ = 0;
  bool hasTime_ = true;
};

} // namespace warpo

#endif
