//===- CounterPlan.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/CounterPlan.h"
#include "FlowEquations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace warpo;

FlowPlaces::FlowPlaces(const FlowGraph &graph) : places_(unsigned(2 * graph.runs.size() + 1)) {
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

class Planner {
public:
  explicit Planner(const FlowGraph &graph)
      : graph_(graph), flow_(equationsOfEdges(graph)), waysIn_(graph.runs.size()) {
    for (const FlowEdge &edge : graph.edges)
      if (edge.to != FlowEdge::outside)
        ++waysIn_[edge.to];
  }

  void countAllRuns();
  void countRunsOffTree();
  void countOpenArms();
  std::vector<PlannedCounter> take();

private:
  bool isFree(uint32_t run) const { return warpo::isFree(graph_, run); }
  void countRun(uint32_t run);
  void countOpenArms(uint32_t branch);
  void countFreeArm(const FlowBranch &branch);
  bool isOpen(const FlowBranch &branch, size_t arm) const {
    return !flow_.isKnown(edgeVariable(graph_, branch.arms[arm]));
  }

  const FlowGraph &graph_;
  /// The counts known with the counters so far; their values mean nothing.
  FlowEquations flow_;
  std::vector<PlannedCounter> counters_;
  /// By run.
  std::vector<uint32_t> waysIn_;
};

} // namespace

void Planner::countRun(uint32_t run) {
  counters_.push_back({graph_.runs[run].begin, run});
  flow_.know(run, 0);
}

void Planner::countAllRuns() {
  for (uint32_t run = 0; run != graph_.runs.size(); ++run)
    if (!isFree(run))
      countRun(run);
}

void Planner::countRunsOffTree() {
  std::vector<uint32_t> order;
  for (uint32_t run = 0; run != graph_.runs.size(); ++run)
    if (!isFree(run))
      order.push_back(run);
  llvm::sort(order, [&](uint32_t left, uint32_t right) {
    return std::tuple(graph_.runs[right].loopDepth, left) <
           std::tuple(graph_.runs[left].loopDepth, right);
  });
  FlowPlaces places(graph_);
  IntEqClasses joined(places.count());
  for (uint32_t run : order) {
    uint32_t begin = places.beginOf(run), end = places.endOf(run);
    if (joined.findLeader(begin) == joined.findLeader(end)) {
      countRun(run);
    } else {
      joined.join(begin, end);
      flow_.know(run, 0);
    }
  }
}

// A branch that goes to one of two places: the run behind it, or the one that it opens, has no
// other way in.
void Planner::countFreeArm(const FlowBranch &branch) {
  for (uint32_t arm : {branch.arms[1], branch.arms[0]}) {
    uint32_t run = graph_.edges[arm].to;
    if (run != FlowEdge::outside && waysIn_[run] == 1 && !flow_.isKnown(run))
      return countRun(run);
  }
}

// Those with few labels first, since each costs a comparison.
void Planner::countOpenArms(uint32_t number) {
  const FlowBranch &branch = graph_.branches[number];
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
      flow_.know(edgeVariable(graph_, branch.arms[arm]), 0);
    }
}

void Planner::countOpenArms() {
  for (uint32_t i = 0; i != graph_.branches.size(); ++i) {
    const FlowBranch &branch = graph_.branches[i];
    if (branch.isTable())
      countOpenArms(i);
    else if (isOpen(branch, 0) || isOpen(branch, 1))
      countFreeArm(branch);
  }
}

std::vector<PlannedCounter> Planner::take() {
  llvm::sort(counters_, [](const PlannedCounter &left, const PlannedCounter &right) {
    return std::tuple(left.offset, !left.countsRun(), left.subject, left.arm) <
           std::tuple(right.offset, !right.countsRun(), right.subject, right.arm);
  });
  return std::move(counters_);
}

std::vector<PlannedCounter> warpo::planCounters(const FlowGraph &graph, CounterChoice choice) {
  Planner planner(graph);
  if (choice == CounterChoice::all)
    planner.countAllRuns();
  else
    planner.countRunsOffTree();
  planner.countOpenArms();
  return planner.take();
}

Expected<CounterPlan> warpo::planCounters(const wasm::Module &module,
                                          const CountingOptions &options) {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, options.choice == CounterChoice::all);
  CounterPlan plan;
  SmallVector<uint8_t, 0> identity{uint8_t(options.choice)};
  auto identify = [&](std::initializer_list<uint32_t> numbers) {
    for (uint32_t number : numbers) {
      uint8_t bytes[4];
      support::endian::write32le(bytes, number);
      identity.append(bytes, bytes + 4);
    }
  };
  for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i) {
    auto graph = finder.find(module.bodies[i - module.importedFunctionCount()], module.fileName);
    if (!graph)
      return graph.takeError();
    CounterPlan::Function function{i, plan.counters, planCounters(*graph, options.choice),
                                   options.countsExceptions && graph->calls};
    plan.counters += uint32_t(function.counters.size()) + function.countsExceptions;
    plan.runs += uint64_t(llvm::count_if(graph->runs, [](const FlowRun &run) { return run.cost; }));
    for (const PlannedCounter &counter : function.counters)
      identify({i, counter.offset, counter.arm});
    if (function.countsExceptions)
      identify({i});
    plan.functions.push_back(std::move(function));
  }
  plan.fingerprint = xxh3_64bits(identity);
  return plan;
}
