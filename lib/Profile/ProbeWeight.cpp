//===- ProbeWeight.cpp ----------------------------------------------------===//

#include "warpo/Profile/ProbeWeight.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

/// Costs are in parts of a count.
static constexpr double partsOfCount = 1024;

void warpo::addProbeWeight(Profile &profile, ProbeCost cost, double share,
                           std::optional<TimeScale> scale) {
  double unit = share / partsOfCount * (scale ? scale->nanosecondsPerCount() : 1);
  std::vector<double> times(profile.tree.size());
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    // What is no function has no trace points.
    if (profile.isPseudo(node))
      continue;
    auto calls = double(profile.calls(node));
    times[node] += calls * double(cost.begin) * unit;
    times[profile.tree[node].parent] += calls * double(cost.end) * unit;
  }
  ProfileWeight probe{"probe", scale ? "ns" : "ticks", std::vector<uint64_t>(times.size())};
  constexpr double most = 1.8e19;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    probe.self[node] = uint64_t(std::min(times[node], most));
  profile.weights.push_back(std::move(probe));
}
