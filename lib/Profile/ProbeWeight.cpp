//===- ProbeWeight.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Slice/FunctionTotals.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

std::vector<uint64_t> warpo::countCallees(const Profile &profile) {
  std::vector<uint64_t> callees(profile.tree.size());
  // Contexts that are not functions have no trace points.
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (!profile.isPseudo(node))
      callees[profile.tree[node].parent] += profile.calls(node);
  return callees;
}

std::vector<uint64_t> warpo::countCallees(const FunctionTotals &totals) {
  std::vector<uint64_t> callees{0};
  for (FunctionIndex function : totals.called())
    callees.push_back(totals.sums()[function].callees);
  return callees;
}

/// The cost of recording in each context's self time, in the unit of times.
static std::vector<double> probeTimes(const Profile &profile, ArrayRef<uint64_t> callees,
                                      const RecordingCost &cost) {
  double unit = (cost.scale ? cost.scale->nanosecondsPerCount() : 1) / ProbeCost::partsOfCount;
  if (cost.subtracted > 0)
    unit *= cost.subtracted;
  std::vector<double> times(profile.tree.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    uint64_t begins = profile.isPseudo(node) ? 0 : profile.calls(node);
    times[node] = (double(begins) * double(cost.probe.begin) +
                   double(callees[node]) * double(cost.probe.end)) *
                  unit;
  }
  return times;
}

std::vector<ProbedTime> warpo::probedTimes(const Profile &profile) {
  std::optional<WeightIndex> time = profile.findWeight(Measure::timeClock);
  std::optional<WeightIndex> probe = profile.findWeight("probe");
  if (!time)
    return {};
  std::vector<ProbedTime> sums(profile.functions.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    ProbedTime &sum = sums[profile.tree[node].function];
    double subtracted = probe ? double(profile.self(node, *probe)) : 0;
    sum.probe += subtracted;
    sum.recorded += double(profile.self(node, *time)) + subtracted;
  }
  if (!probe)
    for (auto [sum, function] : zip_equal(sums, profile.functions))
      sum.probe = double(function.probeShare) * sum.recorded;
  return sums;
}

HottestFunction warpo::hottestIf(const Profile &profile, double factor) {
  HottestFunction hottest;
  double most = 0;
  double all = 0;
  for (const auto &[function, sum] : enumerate(probedTimes(profile))) {
    double own = std::max(0.0, sum.recorded - factor * sum.probe);
    all += own;
    if (own <= most)
      continue;
    most = own;
    hottest.function = FunctionIndex(function);
  }
  hottest.share = all == 0 ? 0 : most / all;
  return hottest;
}

void warpo::addProbes(Profile &profile, ArrayRef<uint64_t> callees, const RecordingCost &cost) {
  std::vector<double> times = probeTimes(profile, callees, cost);
  if (cost.subtracted > 0) {
    ProfileWeight probe{"probe", cost.scale ? "ns" : "ticks", std::vector<uint64_t>(times.size())};
    constexpr double most = 1.8e19;
    for (NodeIndex node = 1; node < profile.tree.size(); ++node)
      probe.self[node] = uint64_t(std::min(times[node], most));
    profile.weights.push_back(std::move(probe));
  }
  std::vector<ProbedTime> sums = probedTimes(profile);
  if (sums.empty())
    return;
  if (cost.subtracted == 0)
    for (NodeIndex node = 1; node < profile.tree.size(); ++node)
      sums[profile.tree[node].function].probe += times[node];
  for (auto [function, sum] : zip_equal(profile.functions, sums))
    function.probeShare = float(sum.share());
}
