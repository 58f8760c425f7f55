//===- CounterPlan.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/CounterPlan.h"
#include "FlowEquations.h"
#include "RunFrequencies.h"
#include "warpo/Support/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace warpo;

void FlowPlaces::find(const FlowGraph &graph) {
  places_.clear();
  places_.grow(unsigned(2 * graph.runs.size() + 1));
  auto outside = unsigned(2 * graph.runs.size());
  auto begin = [&](uint32_t run) { return run == FlowEdge::outside ? outside : 2 * run; };
  auto end = [&](uint32_t run) { return run == FlowEdge::outside ? outside : 2 * run + 1; };
  places_.join(outside, begin(0));
  ArrayRef<LeftAt> left = graph.left;
  for (uint32_t i = 0; i != graph.edges.size(); ++i) {
    if (!left.empty() && left.front().edge == i)
      left = left.drop_front();
    else
      places_.join(end(graph.edges[i].from), begin(graph.edges[i].to));
  }
  for (uint32_t run = 0; run != graph.runs.size(); ++run)
    if (isFree(graph, run))
      places_.join(begin(run), end(run));
  places_.compress();
}

namespace {

/// Plans one function after another, and reuses its buffers: most functions are small.
class Planner {
public:
  std::vector<PlannedCounter> plan(const FlowGraph &graph, CounterChoice choice);

private:
  void begin(const FlowGraph &graph);
  bool isFree(uint32_t run) const { return warpo::isFree(*graph_, run); }
  void countAllRuns();
  void countRunsOffTree();
  void countOpenArms();
  void countRun(uint32_t run);
  void countOpenArms(uint32_t branch);
  void countFreeArm(const FlowBranch &branch);
  bool isOpen(const FlowBranch &branch, size_t arm) const {
    return !flow_.isKnown(edgeVariable(*graph_, branch.arms[arm]));
  }

  const FlowGraph *graph_ = nullptr;
  /// Which counts follow from the counters chosen so far. Values mean nothing here.
  FlowEquations flow_;
  std::vector<PlannedCounter> counters_;
  /// By run.
  std::vector<uint32_t> waysIn_;
  /// The runs that may get a counter, those that need none first.
  std::vector<uint32_t> order_;
  RunFrequencies frequencies_;
  FlowPlaces places_;
  IntEqClasses joined_;
};

} // namespace

void Planner::begin(const FlowGraph &graph) {
  graph_ = &graph;
  setEquationsOfEdges(graph, flow_);
  counters_.clear();
  waysIn_.assign(graph.runs.size(), 0);
  for (const FlowEdge &edge : graph.edges)
    if (edge.to != FlowEdge::outside)
      ++waysIn_[edge.to];
}

void Planner::countRun(uint32_t run) {
  counters_.push_back({graph_->runs[run].begin, run});
  flow_.know(run, 0);
}

void Planner::countAllRuns() {
  for (uint32_t run = 0; run != graph_->runs.size(); ++run)
    if (!isFree(run))
      countRun(run);
}

void Planner::countRunsOffTree() {
  order_.clear();
  for (uint32_t run = 0; run != graph_->runs.size(); ++run)
    if (!isFree(run))
      order_.push_back(run);
  frequencies_.estimate(*graph_);
  llvm::sort(order_, [&](uint32_t left, uint32_t right) {
    return std::tuple(frequencies_[right], left) < std::tuple(frequencies_[left], right);
  });
  places_.find(*graph_);
  joined_.clear();
  joined_.grow(places_.count());
  for (uint32_t run : order_) {
    uint32_t begin = places_.beginOf(run), end = places_.endOf(run);
    if (joined_.findLeader(begin) == joined_.findLeader(end)) {
      countRun(run);
    } else {
      joined_.join(begin, end);
      flow_.know(run, 0);
    }
  }
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
      counters_.push_back({branch.offset, number, arm});
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

std::vector<PlannedCounter> Planner::plan(const FlowGraph &graph, CounterChoice choice) {
  begin(graph);
  if (choice == CounterChoice::all)
    countAllRuns();
  else
    countRunsOffTree();
  countOpenArms();
  llvm::sort(counters_, [](const PlannedCounter &left, const PlannedCounter &right) {
    return std::tuple(left.offset, !left.countsRun(), left.subject, left.arm) <
           std::tuple(right.offset, !right.countsRun(), right.subject, right.arm);
  });
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

private:
  Planner planner_;
  uint64_t runs_ = 0;
};

} // namespace

Error SharePlan::plan(const wasm::Module &module, const CountingOptions &options,
                      const Share &share, MutableArrayRef<CounterPlan::Function> functions) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, options.choice == CounterChoice::all);
  for (uint32_t i = share.begin; i != share.end; ++i) {
    auto graph = finder.find(module.bodies[i], module.fileName);
    if (!graph)
      return graph.takeError();
    CounterPlan::Function &function = functions[i];
    function.index = module.importedFunctionCount() + i;
    function.counters = planner_.plan(*graph, options.choice);
    function.countsExceptions = options.countsExceptions && graph->calls;
    runs_ += uint64_t(llvm::count_if(graph->runs, [](const FlowRun &run) { return run.cost; }));
  }
  return Error::success();
}

// Numbers the counters of all functions, in order.
static void numberCounters(CounterChoice choice, CounterPlan &plan) {
  SmallVector<uint8_t, 0> identity{uint8_t(choice)};
  auto identify = [&](std::initializer_list<uint32_t> numbers) {
    for (uint32_t number : numbers) {
      uint8_t bytes[4];
      support::endian::write32le(bytes, number);
      identity.append(bytes, bytes + 4);
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
  for (const SharePlan &share : planned)
    plan.runs += share.runs();
  numberCounters(options.choice, plan);
  return plan;
}
