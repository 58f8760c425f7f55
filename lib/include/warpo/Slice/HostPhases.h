//===- HostPhases.h - In which phase of its run something happened --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record says at its end what the host did for the program, and when (RecordHeader::phases). This
// finds the phase of a moment. Phases of one name count as one, as `link` of several modules does.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SLICE_HOSTPHASES_H
#define WARPO_SLICE_HOSTPHASES_H

#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace warpo {

/// The time of one run, or its fuel where that is the only clock, with a phase for each moment: of
/// those that it lies in, the one that began last.
class RunPhases {
public:
  static constexpr uint32_t noPhase = UINT32_MAX;

  /// From one begin or end of a phase to the next. Moments are keys, see HostPhases::keyOf().
  struct Span {
    uint64_t from;
    uint64_t to;
    /// Of the moment `from` itself, at which another phase may have ended.
    uint32_t phaseAtStart;
    uint32_t phase;
  };
  struct Interval {
    uint64_t begin;
    uint64_t end;
    uint32_t phase;
  };

  RunPhases() = default;
  /// Of two that begin together, the later one has their moments.
  explicit RunPhases(llvm::ArrayRef<Interval> phases);

  uint32_t find(uint64_t key) const;
  /// In order, without gaps; the last one ends where it begins.
  llvm::ArrayRef<Span> spans() const { return spans_; }
  /// Those from the one on that `key` lies in.
  llvm::ArrayRef<Span> spansFrom(uint64_t key) const;

private:
  std::vector<Span> spans_;
};

/// The run that a stream of several records that became one is of; empty if it is of none.
llvm::StringRef runNameOf(const StreamInfo &stream,
                          llvm::function_ref<bool(llvm::StringRef)> isRun);

class HostPhases {
public:
  /// Of their frames, see Function.
  static constexpr llvm::StringLiteral attribute = "warpo.phase";

  /// All phases of one name.
  struct Phase {
    std::string name;
    /// How often there was one.
    uint64_t count = 0;
    /// By measure: of time the counts in which no later phase had begun; of others their ticks,
    /// nothing if what they did is counted otherwise, or not known of one.
    std::array<std::optional<uint64_t>, maxMeasures> amounts = {};
  };

  /// `header` is that of a record that has been read to its end. Fails if it has no phases, or if
  /// fuel is its only clock and does not tell where one of them ends.
  static llvm::Expected<HostPhases> create(const RecordHeader &header);

  llvm::ArrayRef<Phase> phases() const { return phases_; }
  bool hasTime() const { return hasTime_; }
  /// The key of a time of the record: as large as another's if it is as late.
  uint64_t keyOf(uint64_t time) const { return time - zero_; }
  uint64_t timeOf(uint64_t key) const { return key + zero_; }
  /// Null if the stream is of no run that has phases.
  const RunPhases *runOf(const StreamInfo &stream) const;

private:
  uint32_t phaseCalled(llvm::StringRef name);
  void placeByTime(const RecordHeader &header);
  llvm::Error placeByCounts(const RecordHeader &header);

  std::vector<Phase> phases_;
  llvm::StringMap<uint32_t> phaseOfName_;
  /// By name; the name is empty in a record that is not one of several.
  std::map<std::string, RunPhases, std::less<>> runs_;
  /// Moments before the record's origin have smaller keys than it.
  uint64_t zero_ = 0;
  bool hasTime_ = true;
};

} // namespace warpo

#endif
