//===- CallsOrder.cpp - Callees behind their callers ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Call-chain clustering, after Ottoni and Maher, "Optimizing Function Placement for Large-Scale
// Data-Center Applications" (CGO 2017), with the limits that lld's call graph sort has. Each
// function starts as a cluster. From the densest on, in calls a byte, a function's cluster is put
// behind the cluster of the function that calls it most. In the end clusters are sorted by density.
//
//===----------------------------------------------------------------------===//

#include "warpo/Order/FunctionOrder.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace warpo;

// A cluster does not grow beyond this many bytes of code.
static constexpr uint64_t maxClusterSize = 1 << 20;
// A cluster also does not take another one that lowers its density below a part of what it was.
static constexpr double maxDensityLoss = 8;
// A caller that makes no more than a tenth of a function's calls does not count either.
static constexpr uint64_t minCallShare = 10;
// There is no function of this index.
static constexpr uint32_t none = UINT32_MAX;

namespace {

struct Cluster {
  /// Where its list of functions ends; `none` if this is not a cluster.
  uint32_t last = none;
  uint64_t size = 0;
  uint64_t calls = 0;

  double density() const { return double(calls) / double(std::max<uint64_t>(size, 1)); }
};

/// A caller, with how often it calls.
struct Caller {
  uint32_t function = 0;
  uint64_t calls = 0;
};

class CallClusters {
public:
  CallClusters(const OrderModule &module, ArrayRef<OrderRun> runs)
      : module_(module), clusters_(module.size()), next_(module.size(), none),
        leaders_(module.size()), callers_(module.size()) {
    std::iota(leaders_.begin(), leaders_.end(), 0);
    addCosts(runs);
    addCallers(runs);
  }

  bool hasCalls() const { return hasCalls_; }

  void merge() {
    for (uint32_t callee : densestFirst()) {
      const Caller &caller = callers_[callee];
      uint32_t into = clusterOf(caller.function);
      uint32_t from = clusterOf(callee);
      // Rounding down is right for whole numbers, and a product might wrap.
      if (caller.calls > calls_[callee] / minCallShare && into != from &&
          fits(clusters_[into], clusters_[from]))
        append(into, from);
    }
  }

  std::vector<uint32_t> byDensity() const {
    std::vector<uint32_t> result;
    for (uint32_t cluster : densestFirst())
      for (uint32_t function = cluster; function != none; function = next_[function])
        result.push_back(function);
    return result;
  }

private:
  void addCosts(ArrayRef<OrderRun> runs) {
    for (const OrderRun &run : runs)
      for (const FunctionCost &cost : run.costs) {
        if (module_.isImported(cost.function) || cost.calls == 0)
          continue;
        Cluster &cluster = clusters_[cost.function];
        cluster.last = cost.function;
        cluster.size = module_[cost.function].codeSize;
        cluster.calls = SaturatingMultiplyAdd(cost.calls, run.weight, cluster.calls);
      }
    for (const Cluster &cluster : clusters_)
      calls_.push_back(cluster.calls);
  }
  // Finds who calls each function most.
  void addCallers(ArrayRef<OrderRun> runs) {
    DenseMap<std::pair<uint32_t, uint32_t>, uint64_t> edges;
    for (const OrderRun &run : runs)
      for (const CallEdge &edge : run.edges) {
        if (edge.caller == edge.callee || module_.isImported(edge.caller) ||
            module_.isImported(edge.callee))
          continue;
        uint64_t &sum = edges[{edge.callee, edge.caller}];
        sum = SaturatingMultiplyAdd(edge.calls, run.weight, sum);
        hasCalls_ = true;
      }
    for (const auto &[edge, count] : edges) {
      Caller &best = callers_[edge.first];
      if (std::tuple(count, ~edge.second) > std::tuple(best.calls, ~best.function))
        best = {edge.second, count};
    }
  }
  // Clusters, called by the function that they begin with.
  std::vector<uint32_t> densestFirst() const {
    std::vector<uint32_t> sorted;
    for (uint32_t i = 0; i != clusters_.size(); ++i)
      if (clusters_[i].last != none)
        sorted.push_back(i);
    llvm::sort(sorted, [&](uint32_t a, uint32_t b) {
      return std::tuple(clusters_[b].density(), a) < std::tuple(clusters_[a].density(), b);
    });
    return sorted;
  }
  uint32_t clusterOf(uint32_t function) {
    // Halving the path on the way keeps paths short.
    for (; leaders_[function] != function; function = leaders_[function])
      leaders_[function] = leaders_[leaders_[function]];
    return function;
  }
  static bool fits(const Cluster &into, const Cluster &from) {
    // A caller may have begun before anything was summed up: then it has no cluster.
    if (into.last == none || into.size + from.size > maxClusterSize)
      return false;
    double density = double(SaturatingAdd(into.calls, from.calls)) /
                     double(std::max<uint64_t>(1, into.size + from.size));
    return density * maxDensityLoss >= into.density();
  }
  void append(uint32_t into, uint32_t from) {
    Cluster &target = clusters_[into];
    Cluster source = std::exchange(clusters_[from], {});
    leaders_[from] = into;
    next_[target.last] = from;
    target.last = source.last;
    target.size += source.size;
    target.calls = SaturatingAdd(target.calls, source.calls);
  }

  const OrderModule &module_;
  /// By the function that it began with; emptied when it was put behind another.
  std::vector<Cluster> clusters_;
  /// For each function, the next one in its cluster.
  std::vector<uint32_t> next_;
  /// For each function, one nearer to the beginning of its cluster; the first points to itself.
  std::vector<uint32_t> leaders_;
  std::vector<Caller> callers_;
  /// Of each function.
  std::vector<uint64_t> calls_;
  bool hasCalls_ = false;
};

class CallsOrder : public FunctionOrder {
public:
  bool needsCosts() const override { return true; }

  Expected<std::vector<uint32_t>> order(const OrderModule &module,
                                        ArrayRef<OrderRun> runs) const override {
    CallClusters clusters(module, runs);
    if (!clusters.hasCalls())
      return makeError("order 'calls' needs records of all calls: these have no call from one "
                       "function to another");
    clusters.merge();
    return clusters.byDensity();
  }
};

warpo::Registry<FunctionOrder>::Add<CallsOrder>
    registration("calls", "callees after their most frequent callers");

} // namespace
