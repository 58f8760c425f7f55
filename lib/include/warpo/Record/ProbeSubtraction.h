//===- ProbeSubtraction.h - Times without what recording took -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_PROBESUBTRACTION_H
#define WARPO_RECORD_PROBESUBTRACTION_H

#include "warpo/Record/ClockStops.h"
#include "warpo/Record/ProbeRange.h"
#include <unordered_map>

namespace warpo {

/// Gives the entries of another reader the times that they would have if recording them had taken
/// none: in each stream, every entry moves ahead by what the entries before it took.
///
/// Whatever entry begins or ends a stretch of time, the stretch holds one trace point: the rest of
/// the one before it, and the beginning of the one behind. What does not fit into a stretch (the
/// clock may be coarser than a trace point, and stand still for many) is taken from later ones of
/// the same function, so that its sum is right and no other function pays for it. No time goes
/// back, and no function takes less than its stretches take at least.
///
/// An entry at which the clock has advanced costs more, if the record says so: the recorder is
/// called then.
///
/// Time that the recorder kept the thread (recordingId) is neither charged nor taken. Waits
/// (ClockWaits) are left out, and not as the cost of trace points, except for the time that the
/// stretches since the clock's last step usually take: if it was the clock that waited, the program
/// went on.
/// If waits are most of a record, its times stay as they are.
///
/// Streams move apart, as each has its own entries, unless they move together: then every entry
/// moves all that come later on any of them.
class ProbeSubtraction : public RecordFilter {
public:
  /// Which streams move together. For those of a thread, the reader gives their entries in the
  /// order of time.
  enum class Together { sameStack, sameThread };

  ProbeSubtraction(std::unique_ptr<RecordReader> reader, RecordingEffects effects,
                   Together together = Together::sameStack);

  llvm::Expected<bool> next(RecordBatch &batch) override;
  /// Of the last batch.
  llvm::ArrayRef<uint64_t> recordedTimes() const { return recordedTimes_; }
  /// A number that streams have in common if they move together.
  uint64_t clockOf(StreamIndex stream) const {
    return together_ == Together::sameThread ? header().streams[stream].thread
                                             : header().stackOf(stream);
  }
  /// Nothing of it is left in the times.
  ProbeCost probe() const override { return {}; }

  const ProbeRange &range() const { return effects_.range; }
  /// Whether the clock is coarser than a trace point, as one that another thread keeps.
  bool isClockCoarse() const { return effects_.leastWork > 0; }
  /// How much of the costs of all entries was taken away, from 0 to 1: where less time passed,
  /// there was less to take.
  double subtractedShare() const;
  /// Over all streams, in counts: what was taken away, of how much in all without waits.
  uint64_t subtracted() const { return subtracted_; }
  uint64_t recorded() const { return recorded_; }
  /// How many waits there were, and their sum in counts.
  uint64_t waits() const { return waits_; }
  uint64_t waited() const { return waited_; }
  const ClockWaits &clockWaits() const { return effects_.waits; }
  uint64_t entries() const { return entries_; }
  /// At how many entries the clock had advanced.
  uint64_t steps() const { return steps_; }
  /// What an advance of the clock costs beyond its entry, in counts; 0 if unknown.
  double costOfStep() const { return double(effects_.step) / ProbeCost::partsOfCount; }

private:
  /// Of streams that move together.
  struct Clock {
    bool hasEntry = false;
    uint64_t lastTime = 0;
    /// What the last entry took, in 1/1024 of a count, and whose it was.
    uint64_t lastCost = 0;
    StreamIndex lastStack = 0;
    /// By how much entries move.
    uint64_t offset = 0;
    /// How long the stretches since its last step usually take, in 1/1024 of a count.
    uint64_t unmeasured = 0;
  };
  /// Of a function.
  struct Account {
    /// Of the trace points in its stretches, in 1/1024 of a count.
    uint64_t owed = 0;
    /// Its time that may still be taken, of what has passed, in 1/1024 of a count; what its
    /// stretches take at least is missing from it.
    int64_t left = 0;
    uint64_t leastWait = 0;
    /// How long its stretches are, in 1/1024 of a count.
    uint64_t usual = 0;
  };
  struct Stack {
    OpenFunctions functions;
    /// By number of `functions`.
    std::vector<Account> accounts;
  };

  Account &accountOf(Stack &stack);
  uint64_t moveBy(Clock &clock, uint64_t passed);

  RecordingEffects effects_;
  Together together_;
  std::unordered_map<uint64_t, Clock> clocks_;
  /// By the stream that stands for it.
  std::vector<Stack> stacks_;
  std::vector<uint64_t> times_;
  llvm::ArrayRef<uint64_t> recordedTimes_;
  uint64_t subtracted_ = 0;
  uint64_t recorded_ = 0;
  uint64_t entries_ = 0;
  uint64_t steps_ = 0;
  uint64_t waits_ = 0;
  uint64_t waited_ = 0;
  /// In 1/1024 of a count: of all entries behind which there is another, and how much of it was
  /// taken away.
  double charged_ = 0;
  double paid_ = 0;
};

} // namespace warpo

#endif
