//===- CounterPlan.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/CounterPlan.h"
#include "FlowEquations.h"
#include "FlowPlaces.h"
#include "RunFrequencies.h"
#include "warpo/Support/HugePages.h"
#include "warpo/Support/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace warpo;

namespace {

/// Plans one function after another, and reuses its buffers: most functions are small, but there
/// are many. Choosing runs takes a sort and two passes of a union-find over runs and edges; the
/// equations, which cost as much as all that, are only set up for functions that may need them.
class Planner {
public:
  /// Valid until the next call.
  const std::vector<PlannedCounter> &plan(const FlowGraph &graph, CounterChoice choice);

private:
  bool isFree(uint32_t run) const { return warpo::isFree(*graph_, run); }
  void chooseRuns(CounterChoice choice);
  void sortByFrequency();
  void setEquations(CounterChoice choice);
  void countOpenArms();
  void countRun(uint32_t run);
  void countOpenArms(uint32_t branch);
  void countFreeArm(const FlowBranch &branch);
  bool isOpen(const FlowBranch &branch, size_t arm) const {
    return !flow_.isKnown(edgeVariable(*graph_, branch.arms[arm]));
  }

  const FlowGraph *graph_ = nullptr;
  std::vector<PlannedCounter> counters_;
  /// The runs and arms of tables that may get a counter. Arms come before runs, since a run takes
  /// less code to count.
  std::vector<PlannedCounter> candidates_;
  size_t arms_ = 0;
  std::vector<uint8_t> isCounted_;
  /// By candidate.
  std::vector<double> candidateFrequencies_;
  /// The numbers of the candidates, those that need no counter first: by falling frequency, and
  /// those of the same frequency in their order.
  std::vector<uint32_t> order_;
  RunFrequencies frequencies_;
  FlowPlaces places_;
  /// Which counts follow from the counters chosen so far. Values mean nothing here.
  FlowEquations flow_;
  /// By run.
  std::vector<uint32_t> waysIn_;
};

} // namespace

// Sorts numbers of `keys`: by falling keys, those of the same key in their order. None may be NaN:
// ranks would not be distinct, and places in `order` keep old numbers. Most lists are short:
// comparing all with each other, without a branch that could be mispredicted, takes less time than
// sorting them.
static void sortByRank(ArrayRef<double> keys, std::vector<uint32_t> &order) {
  constexpr size_t most = 48;
  assert(none_of(keys, [](double key) { return std::isnan(key); }) && "keys without an order");
  size_t size = keys.size();
  order.resize(size);
  if (size > most) {
    std::iota(order.begin(), order.end(), 0);
    // Not std::stable_sort: libstdc++ allocates its buffer by a deprecated function.
    llvm::sort(order, [&](uint32_t left, uint32_t right) {
      return keys[left] == keys[right] ? left < right : keys[left] > keys[right];
    });
    return;
  }
  uint32_t ranks[most] = {};
  for (size_t i = 1; i < size; ++i) {
    uint32_t before = 0;
    for (size_t k = 0; k != i; ++k) {
      bool isBefore = keys[k] >= keys[i];
      before += isBefore;
      ranks[k] += !isBefore;
    }
    ranks[i] = before;
  }
  for (size_t i = 0; i != size; ++i)
    order[ranks[i]] = uint32_t(i);
}

void Planner::sortByFrequency() {
  frequencies_.estimate(*graph_);
  candidates_.clear();
  candidateFrequencies_.clear();
  auto add = [&](double frequency, const PlannedCounter &counter) {
    candidateFrequencies_.push_back(frequency);
    candidates_.push_back(counter);
  };
  for (uint32_t i = 0; i != graph_->branches.size(); ++i) {
    const FlowBranch &branch = graph_->branches[i];
    for (uint32_t arm = 0; branch.takesNoValues && arm != branch.arms.size(); ++arm)
      add(frequencies_.of(*graph_, graph_->edges[branch.arms[arm]]),
          {branch.offset, i, arm, /*hasLanding=*/true});
  }
  arms_ = candidates_.size();
  for (uint32_t run = 0; run != graph_->runs.size(); ++run)
    if (!isFree(run))
      add(frequencies_[run], {graph_->runs[run].begin, run});
  sortByRank(candidateFrequencies_, order_);
}

void Planner::chooseRuns(CounterChoice choice) {
  counters_.clear();
  if (choice == CounterChoice::all) {
    for (uint32_t run = 0; run != graph_->runs.size(); ++run)
      if (!isFree(run))
        counters_.push_back({graph_->runs[run].begin, run});
    return;
  }
  sortByFrequency();
  isCounted_.assign(candidates_.size(), false);
  for (uint32_t each : order_) {
    const PlannedCounter &counter = candidates_[each];
    bool follows = counter.countsRun()
                       ? places_.joinEndsOf(counter.subject)
                       : places_.joinEndsOf(
                             graph_->edges[graph_->branches[counter.subject].arms[counter.arm]]);
    isCounted_[each] = !follows;
  }
  // Both arms and runs are in the order of the code.
  for (size_t arm = 0, run = arms_; arm != arms_ || run != candidates_.size();) {
    bool isRun = arm == arms_ ||
                 (run != candidates_.size() && candidates_[run].offset <= candidates_[arm].offset);
    size_t next = isRun ? run++ : arm++;
    if (isCounted_[next])
      counters_.push_back(candidates_[next]);
  }
}

void Planner::countRun(uint32_t run) {
  counters_.push_back({graph_->runs[run].begin, run});
  flow_.know(run, 0);
}

// The counts of all runs but free ones are known or follow, and with `tree` those of the arms that
// places keep.
void Planner::setEquations(CounterChoice choice) {
  setEquationsOfEdges(*graph_, flow_);
  waysIn_.assign(graph_->runs.size(), 0);
  for (const FlowEdge &edge : graph_->edges)
    if (edge.to != FlowEdge::outside)
      ++waysIn_[edge.to];
  for (uint32_t run = 0; run != graph_->runs.size(); ++run)
    if (!isFree(run))
      flow_.know(run, 0);
  for (const FlowBranch &branch : graph_->branches)
    if (branch.takesNoValues && choice == CounterChoice::tree)
      for (uint32_t arm : branch.arms)
        flow_.know(edgeVariable(*graph_, arm), 0);
}

// For a branch to one of two places: counts the run behind it or the run that it opens, whichever
// has no other way in.
void Planner::countFreeArm(const FlowBranch &branch) {
  for (uint32_t arm : {branch.arms[1], branch.arms[0]}) {
    uint32_t run = graph_->edges[arm].to;
    if (run != FlowEdge::outside && waysIn_[run] == 1 && !flow_.isKnown(run))
      return countRun(run);
  }
}

// Those with few labels first, since each costs a comparison.
void Planner::countOpenArms(uint32_t number) {
  const FlowBranch &branch = graph_->branches[number];
  std::vector<uint32_t> labels(branch.arms.size());
  for (uint32_t arm : branch.armOfLabel)
    ++labels[arm];
  std::vector<uint32_t> order(branch.arms.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](uint32_t left, uint32_t right) {
    return std::tuple(labels[left], left) < std::tuple(labels[right], right);
  });
  for (uint32_t arm : order)
    if (isOpen(branch, arm)) {
      counters_.push_back({branch.offset, number, arm, branch.takesNoValues});
      flow_.know(edgeVariable(*graph_, branch.arms[arm]), 0);
    }
}

void Planner::countOpenArms() {
  for (uint32_t i = 0; i != graph_->branches.size(); ++i) {
    const FlowBranch &branch = graph_->branches[i];
    if (branch.isTable())
      countOpenArms(i);
    else if (isOpen(branch, 0) || isOpen(branch, 1))
      countFreeArm(branch);
  }
}

const std::vector<PlannedCounter> &Planner::plan(const FlowGraph &graph, CounterChoice choice) {
  graph_ = &graph;
  places_.find(graph, /*keepsArms=*/choice == CounterChoice::tree);
  bool edgesFollow = places_.edgesFollow();
  chooseRuns(choice);
  if (!edgesFollow) {
    setEquations(choice);
    countOpenArms();
    llvm::sort(counters_, [](const PlannedCounter &left, const PlannedCounter &right) {
      return std::tuple(left.offset, !left.countsRun(), left.subject, left.arm) <
             std::tuple(right.offset, !right.countsRun(), right.subject, right.arm);
    });
  }
  return counters_;
}

std::vector<PlannedCounter> warpo::planCounters(const FlowGraph &graph, CounterChoice choice) {
  return Planner().plan(graph, choice);
}

namespace {

/// Plans a share of a module's functions.
class SharePlan {
public:
  /// `functions` are those of the whole module, by body.
  Error plan(const wasm::Module &module, const CountingOptions &options, const Share &share,
             MutableArrayRef<CounterPlan::Function> functions);
  uint64_t runs() const { return runs_; }
  /// The functions refer to them.
  std::vector<PlannedCounter> takeCounters() { return std::move(counters_); }

private:
  Planner planner_;
  uint64_t runs_ = 0;
  std::vector<PlannedCounter> counters_;
};

} // namespace

Error SharePlan::plan(const wasm::Module &module, const CountingOptions &options,
                      const Share &share, MutableArrayRef<CounterPlan::Function> functions) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, options.choice == CounterChoice::all);
  std::vector<size_t> ends;
  ends.reserve(share.end - share.begin);
  // Most code has fewer counters. Reserved memory costs nothing until it is written.
  constexpr size_t bytesPerCounter = 32;
  counters_.reserve(share.weight / bytesPerCounter);
  requestHugePages(counters_);
  for (uint32_t i = share.begin; i != share.end; ++i) {
    auto graph = finder.find(module.bodies[i], module.fileName);
    if (!graph)
      return graph.takeError();
    CounterPlan::Function &function = functions[i];
    function.index = module.importedFunctionCount() + i;
    llvm::append_range(counters_, planner_.plan(*graph, options.choice));
    ends.push_back(counters_.size());
    if (graph->isWhole && graph->namedFunctions <= module.functionCount())
      function.traits = graph->traits;
    function.countsExceptions = options.countsExceptions && graph->calls;
    runs_ += uint64_t(llvm::count_if(graph->runs, [](const FlowRun &run) { return run.cost; }));
  }
  // Only now does the list no longer move.
  size_t begin = 0;
  for (auto [i, end] : enumerate(ends)) {
    functions[share.begin + i].counters = ArrayRef(counters_).slice(begin, end - begin);
    begin = end;
  }
  return Error::success();
}

// Numbers the counters of all functions, in order.
static void numberCounters(CounterChoice choice, CounterPlan &plan) {
  size_t numbers = 0;
  for (const CounterPlan::Function &function : plan.functions)
    numbers += 3 * function.counters.size() + function.countsExceptions;
  SmallVector<uint8_t, 0> identity;
  reserveHugePages(identity, 1 + 4 * numbers);
  identity.resize_for_overwrite(1 + 4 * numbers);
  identity.front() = uint8_t(choice);
  uint8_t *at = identity.data() + 1;
  auto identify = [&](std::initializer_list<uint32_t> numbers) {
    for (uint32_t number : numbers) {
      support::endian::write32le(at, number);
      at += sizeof(number);
    }
  };
  for (CounterPlan::Function &function : plan.functions) {
    function.first = plan.counters;
    plan.counters += uint32_t(function.counters.size()) + function.countsExceptions;
    for (const PlannedCounter &counter : function.counters)
      identify({function.index, counter.offset, counter.arm});
    if (function.countsExceptions)
      identify({function.index});
  }
  plan.fingerprint = xxh3_64bits(identity);
}

Expected<CounterPlan> warpo::planCounters(const wasm::Module &module,
                                          const CountingOptions &options) {
  // With less code than this, starting a thread takes longer than the work.
  static constexpr uint64_t leastShare = 1 << 18;
  CounterPlan plan;
  plan.functions.resize(module.bodies.size());
  std::vector<uint64_t> sizes;
  sizes.reserve(module.bodies.size());
  for (const wasm::ByteRange &body : module.bodies)
    sizes.push_back(body.bytes.size());
  std::vector<Share> shares = divideIntoShares(sizes, /*threads=*/0, leastShare);
  std::vector<SharePlan> planned(shares.size());
  auto work = [&](size_t i) { return planned[i].plan(module, options, shares[i], plan.functions); };
  if (Error error = workInParallel(shares.size(), work))
    return error;
  for (SharePlan &share : planned) {
    plan.runs += share.runs();
    plan.lists.push_back(share.takeCounters());
  }
  numberCounters(options.choice, plan);
  return plan;
}
