//===- Reports.h - From profiles to tables --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Weights are those of the profile, after all views. Of a function that calls itself, inclusive
// weights and calls from outside of it are counted once.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_REPORT_REPORTS_H
#define WARPO_REPORT_REPORTS_H

#include "warpo/Profile/CodeDetail.h"
#include "warpo/Profile/Profile.h"
#include "warpo/Profile/ProfileDiff.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Report/SlowSlices.h"
#include "warpo/Report/Table.h"
#include "warpo/Slice/FunctionTotals.h"
#include "warpo/Slice/SectionSums.h"
#include "warpo/Support/NameGlobs.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace warpo {

/// What is known of single calls, in nanoseconds or ticks as the profile's times are, by the module
/// and the id of functions.
class CallDistribution {
public:
  /// Adds the calls of a record. Durations become nanoseconds if `scale` is known.
  void add(const FunctionTotals &totals, const FunctionTable &functions,
           std::optional<TimeScale> scale);

  struct Numbers {
    uint64_t mean = 0;
    uint64_t median = 0;
    uint64_t p90 = 0;
    uint64_t p99 = 0;
    uint64_t longest = 0;
    uint64_t deepestRecursion = 0;
  };
  /// Nothing for a function without a complete call.
  std::optional<Numbers> of(const Profile &profile, FunctionIndex function) const;
  bool empty() const { return functions_.empty(); }

private:
  struct Entry {
    FunctionCalls calls;
    std::optional<TimeScale> scale;
  };
  std::map<std::pair<uint64_t, int32_t>, Entry> functions_;
};

/// All functions: calls, self, inclusive and shares, and the distribution of their calls.
Table functionTable(const Profile &profile, const CallDistribution &calls);

/// All contexts, indented; of siblings the heaviest first.
Table treeTable(const Profile &profile);

/// Callers or callees of the matching functions, with the inclusive weights of the calls
/// between the two, and where the calls are, as far as that is known.
Table callerTable(const Profile &profile, const NameGlobs &functions,
                  const CallLinesMap &calls = {});
Table calleeTable(const Profile &profile, const NameGlobs &functions,
                  const CallLinesMap &calls = {});

/// The outermost functions, with all that they call.
Table topLevelTable(const Profile &profile);

/// The phases of one run, for phaseTable.
struct PhasesOfRun {
  /// The record's name.
  std::string run;
  std::vector<RecordedPhase> phases;
  /// What the program itself named.
  std::vector<SectionSum> sections;
  /// What the record counts. There are times only where time has a scale.
  std::vector<Measure> measures;
};

/// Each phase of each run with its time and its ticks, the sections with their calls, then the
/// totals over all of them. Sections are parts of phases, and not part of their total.
Table phaseTable(llvm::ArrayRef<PhasesOfRun> runs);

/// `start` is the first time of the record. Times are in nanoseconds if `scale` is known.
/// `option` belongs to those that cut a slice out; may be empty.
Table slowSliceTable(llvm::ArrayRef<SlowSlice> slices, const FunctionTable &functions,
                     std::optional<TimeScale> scale, uint64_t start, llvm::StringRef option);

/// Functions whose numbers changed beyond their spread: before, after, and how much of the
/// difference is from more or fewer calls and how much from the cost of a call.
Table diffTable(const ProfileDiff &diff);

} // namespace warpo

#endif
