//===- CounterPlan.h - Which runs need a counter --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Not every run has to be counted: what flows into a place flows out of it. In the form of Knuth
// and Stevenson ("Optimal measurement points for program frequency counts", 1973): each run has a
// place where it begins and one where it ends, an edge makes the end of one and the beginning of
// the other the same place, and what leaves the function is where it is entered. A run is then an
// edge of a graph of places, and on a spanning tree of it no run needs a counter. Runs that are
// likely to be executed most are taken into the tree first.
//
// Runs that cost nothing are not edges: they merge their two places, since they would need more
// counters than they save. Their counts follow from the ways in and out, as those of edges do. If
// they do not follow, such a run, or an arm of a `br_table`, gets a counter.
//
// The arms of a `br_table` whose labels take no values are edges like runs: a landing block can
// count one of them. In an interpreter's dispatch some arm often leads straight back to it, and
// counting that arm is far cheaper than counting the dispatch.
//
// Reader and writer of counts make the plan from the same module, each by itself; a fingerprint
// says whether it is the same.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COUNTS_COUNTERPLAN_H
#define WARPO_COUNTS_COUNTERPLAN_H

#include "warpo/Counts/FlowGraph.h"

namespace warpo {

/// `all`: one for each run, calls end runs, and no count depends on another.
enum class CounterChoice : uint8_t { tree, all };

struct CountingOptions {
  CounterChoice choice = CounterChoice::tree;
  /// Whether functions that make calls also count how many of their own calls an exception has
  /// left. Only with `tree`, where computed counts depend on that.
  bool countsExceptions = false;

  bool operator==(const CountingOptions &) const = default;
};

/// Something that is counted.
struct PlannedCounter {
  static constexpr uint32_t ofRun = UINT32_MAX;

  /// In front of the instruction there.
  uint32_t offset = 0;
  /// How often this run was executed or, with `arm`, how often this branch, a `br_table`, went
  /// there.
  uint32_t subject = 0;
  uint32_t arm = ofRun;
  /// Of an arm: whether code can be inserted on the way there.
  bool hasLanding = false;

  bool countsRun() const { return arm == ofRun; }
};

/// Whether a run costs nothing, so that it merges the places around it. The first run never does.
inline bool isFree(const FlowGraph &graph, uint32_t run) { return run && !graph.runs[run].cost; }

/// The counters of a function, rising by offset.
std::vector<PlannedCounter> planCounters(const FlowGraph &graph, CounterChoice choice);

/// Of all functions of a module with code.
struct CounterPlan {
  struct Function {
    uint32_t index = 0;
    /// The number of its first counter.
    uint32_t first = 0;
    llvm::ArrayRef<PlannedCounter> counters;
    /// See wasm::CodeInsertions; nothing if the code does not fulfil it.
    std::optional<uint8_t> traits;
    /// Whether a counter of its exceptions follows them.
    bool countsExceptions = false;

    uint32_t exceptions() const { return first + uint32_t(counters.size()); }
  };

  CounterPlan() = default;
  CounterPlan(CounterPlan &&) = default;
  CounterPlan &operator=(CounterPlan &&) = default;

  std::vector<Function> functions;
  /// The counters of functions, which refer to them: in few lists, since most functions are small.
  std::vector<std::vector<PlannedCounter>> lists;
  uint32_t counters = 0;
  /// Of all runs that cost anything, to say what was saved.
  uint64_t runs = 0;
  /// Differs if any function, offset or option differs.
  uint64_t fingerprint = 0;
};

/// Works on all cores.
llvm::Expected<CounterPlan> planCounters(const wasm::Module &module,
                                         const CountingOptions &options);

} // namespace warpo

#endif
