//===- CounterPlan.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/CounterPlan.h"
#include "FlowPlaces.h"
#include "KnownFlow.h"
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
/// are many. Choosing runs takes a sort and two passes of a union-find over runs and edges; what
/// follows from the chosen ones is only found for functions where something may not.
class Planner {
public:
  /// Valid until the next call.
  const std::vector<PlannedCounter> &plan(const FlowGraph &graph, CounterChoice choice);

private:
  bool isFree(uint32_t run) const { return warpo::isFree(*graph_, run); }
  void chooseRuns(CounterChoice choice);
  void findCandidates();
  void findKnown();
  void countOpenArms();
  void countRun(uint32_t run);
  void countOpenArms(uint32_t branch);
  void countFreeArm(const FlowBranch &branch);
  const FlowEdge &edgeOf(const PlannedCounter &arm) const {
    return graph_->edges[graph_->branches[arm.subject].arms[arm.arm]];
  }
  bool isOpen(const FlowBranch &branch, size_t arm) const {
    return !flow_.isEdgeKnown(branch.arms[arm]);
  }

  const FlowGraph *graph_ = nullptr;
  std::vector<PlannedCounter> counters_;
  /// The arms of tables that may get a counter. In the lists below they come before runs, since a
  /// run takes less code to count.
  std::vector<PlannedCounter> arms_;
  /// By arm and run.
  std::vector<uint8_t> isCounted_;
  /// The numbers of those that may follow from others, and their frequencies. Only the first
  /// `candidateCount_` are valid.
  std::vector<uint32_t> candidates_;
  std::vector<double> candidateFrequencies_;
  size_t candidateCount_ = 0;
  /// Places in these lists: by falling frequency, and those of the same frequency in their order.
  std::vector<uint32_t> order_;
  RunFrequencies frequencies_;
  FlowPlaces places_;
  /// Which counts follow from the counters chosen so far.
  KnownFlow flow_;
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

// Runs that begin and end at the same place, such as the body of an `if`, follow from nothing: they
// are counted, and need no rank. Others come between them in no order that a processor could
// predict, so nothing branches on that; a free run's places have been merged.
void Planner::findCandidates() {
  frequencies_.estimate(*graph_);
  arms_.clear();
  for (uint32_t i = 0; i != graph_->branches.size(); ++i) {
    const FlowBranch &branch = graph_->branches[i];
    for (uint32_t arm = 0; branch.takesNoValues && arm != branch.arms.size(); ++arm)
      arms_.push_back({branch.offset, i, arm, /*hasLanding=*/true});
  }
  size_t most = arms_.size() + graph_->runs.size();
  isCounted_.resize(most);
  if (candidates_.size() < most) {
    candidates_.resize(most);
    candidateFrequencies_.resize(most);
  }
  candidateCount_ = 0;
  auto add = [&](size_t number, double frequency, bool followsFromNothing) {
    candidateFrequencies_[candidateCount_] = frequency;
    candidates_[candidateCount_] = uint32_t(number);
    candidateCount_ += !followsFromNothing;
  };
  for (size_t i = 0; i != arms_.size(); ++i) {
    const FlowEdge &edge = edgeOf(arms_[i]);
    isCounted_[i] = places_.sourceOf(edge) == places_.targetOf(edge);
    add(i, frequencies_.of(*graph_, edge), isCounted_[i]);
  }
  for (uint32_t run = 0; run != graph_->runs.size(); ++run) {
    bool followsFromNothing = places_.beginOf(run) == places_.endOf(run);
    size_t number = arms_.size() + run;
    isCounted_[number] = followsFromNothing & !isFree(run);
    add(number, frequencies_[run], followsFromNothing);
  }
}

void Planner::chooseRuns(CounterChoice choice) {
  counters_.clear();
  if (choice == CounterChoice::all) {
    for (uint32_t run = 0; run != graph_->runs.size(); ++run)
      if (!isFree(run))
        counters_.push_back({graph_->runs[run].begin, run});
    return;
  }
  findCandidates();
  sortByRank(ArrayRef(candidateFrequencies_).take_front(candidateCount_), order_);
  auto arms = uint32_t(arms_.size());
  for (uint32_t each : order_) {
    uint32_t number = candidates_[each];
    bool follows = number < arms ? places_.joinEndsOf(edgeOf(arms_[number]))
                                 : places_.joinEndsOf(number - arms);
    isCounted_[number] = !follows;
  }
  // Both arms and runs are in the order of the code.
  uint32_t arm = 0;
  auto countArmsBefore = [&](uint32_t offset) {
    for (; arm != arms && arms_[arm].offset < offset; ++arm)
      if (isCounted_[arm])
        counters_.push_back(arms_[arm]);
  };
  for (uint32_t run = 0; run != graph_->runs.size(); ++run) {
    if (!isCounted_[arms + run])
      continue;
    uint32_t offset = graph_->runs[run].begin;
    countArmsBefore(offset);
    counters_.push_back({offset, run});
  }
  countArmsBefore(UINT32_MAX);
}

void Planner::countRun(uint32_t run) {
  counters_.push_back({graph_->runs[run].begin, run});
  flow_.knowRun(run);
}

// The counts of all runs but free ones are known or follow, and those of kept arms.
void Planner::findKnown() {
  flow_.find(*graph_, places_.keptEdges());
  waysIn_.assign(graph_->runs.size(), 0);
  for (const FlowEdge &edge : graph_->edges)
    if (edge.to != FlowEdge::outside)
      ++waysIn_[edge.to];
}

// For a branch to one of two places: counts the run behind it or the run that it opens, whichever
// has no other way in.
void Planner::countFreeArm(const FlowBranch &branch) {
  for (uint32_t arm : {branch.arms[1], branch.arms[0]}) {
    uint32_t run = graph_->edges[arm].to;
    if (run != FlowEdge::outside && waysIn_[run] == 1 && !flow_.isRunKnown(run))
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
      flow_.knowEdge(branch.arms[arm]);
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
    findKnown();
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
