//===- ProbeWeight.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Slice/FunctionTotals.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

std::vector<uint64_t> warpo::countCallees(const Profile &profile) {
  std::vector<uint64_t> callees(profile.tree.size());
  // What is no function has no trace points.
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

void warpo::addProbeWeight(Profile &profile, ArrayRef<uint64_t> callees, ProbeCost cost,
                           double share, std::optional<TimeScale> scale) {
  double unit =
      share / double(ProbeCost::partsOfCount) * (scale ? scale->nanosecondsPerCount() : 1);
  std::vector<double> times(profile.tree.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    uint64_t begins = profile.isPseudo(node) ? 0 : profile.calls(node);
    times[node] =
        (double(begins) * double(cost.begin) + double(callees[node]) * double(cost.end)) * unit;
  }
  ProfileWeight probe{"probe", scale ? "ns" : "ticks", std::vector<uint64_t>(times.size())};
  constexpr double most = 1.8e19;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    probe.self[node] = uint64_t(std::min(times[node], most));
  profile.weights.push_back(std::move(probe));
}
