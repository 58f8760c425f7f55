//===- Reports.h - From profiles to tables --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Weights are those of the profile, after all views. For a recursive function, inclusive weights
// and calls from outside of it are counted once.
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

/// Statistics of single calls by the module and id of their function. In nanoseconds or ticks, as
/// the profile's times.
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
  /// Nothing for a function without complete calls.
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

/// All contexts, indented; siblings by decreasing weight.
Table treeTable(const Profile &profile);

/// Callers or callees of the matching functions, with the inclusive weights of the calls between
/// the two, and the places of the calls as far as known.
Table callerTable(const Profile &profile, const NameGlobs &functions,
                  const CallLinesMap &calls = {});
Table calleeTable(const Profile &profile, const NameGlobs &functions,
                  const CallLinesMap &calls = {});

/// The outermost functions, including their callees.
Table topLevelTable(const Profile &profile);

/// The phases of one run, for phaseTable.
struct PhasesOfRun {
  /// The record's name.
  std::string run;
  std::vector<RecordedPhase> phases;
  /// Sections that the program itself named.
  std::vector<SectionSum> sections;
  /// The measures of the record. There are times only if its time has a scale.
  std::vector<Measure> measures;
};

/// Each phase of each run with its time and ticks, the sections with their calls, then the totals
/// of all runs. Sections are parts of phases, so the total of phases does not include them.
Table phaseTable(llvm::ArrayRef<PhasesOfRun> runs);

/// `start` is the first time of the record. Times are in nanoseconds if `scale` is known. `option`
/// is added to the options that select a slice; may be empty.
Table slowSliceTable(llvm::ArrayRef<SlowSlice> slices, const FunctionTable &functions,
                     std::optional<TimeScale> scale, uint64_t start, llvm::StringRef option);

/// Functions whose numbers changed by more than their spread: before, after, and how much of the
/// difference comes from the number of calls and how much from the cost of a call.
Table diffTable(const ProfileDiff &diff);

} // namespace warpo

#endif
