//===- ProfileMerger.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ProfileMerger.h"
#include "FunctionUnion.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

ProfileMerger::ProfileMerger()
    : functions_(std::make_unique<FunctionUnion>(FunctionUnion::UnnamedModules::byId)) {}

ProfileMerger::~ProfileMerger() = default;

Error ProfileMerger::add(const Profile &added) {
  // Functions without a context would be missing in the saved form.
  Profile profile = canonical(added);
  std::vector<ProfileWeight> &weights = builder_.profile().weights;
  std::vector<WeightIndex> ours;
  for (const ProfileWeight &weight : profile.weights) {
    std::optional<WeightIndex> known = builder_.profile().findWeight(weight.name);
    if (known && weights[*known].unit != weight.unit)
      return makeError(weight.name + " is in " + weight.unit + " here, and in " +
                       weights[*known].unit + " in what it is to be added to");
    if (!known) {
      known = WeightIndex(weights.size());
      weights.push_back(
          {weight.name, weight.unit, std::vector<uint64_t>(builder_.profile().tree.size())});
    }
    ours.push_back(*known);
  }

  std::optional<SamplePeriod> &period = builder_.profile().samplePeriod;
  if (!std::exchange(hasAny_, true))
    period = profile.samplePeriod;
  else if (period != profile.samplePeriod)
    period.reset();

  std::vector<FunctionIndex> functions = functions_->add(profile);
  std::vector<NodeIndex> contexts(profile.tree.size(), ContextTree::root);
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    auto [parent, function] = profile.tree[node];
    contexts[node] = builder_.child(contexts[parent], functions[function]);
    for (WeightIndex weight = 0; weight < ours.size(); ++weight)
      builder_.add(contexts[node], ours[weight], profile.weights[weight], node);
  }
  return Error::success();
}

Profile ProfileMerger::take() {
  Profile result = builder_.take();
  result.modules = functions_->modules().vec();
  result.functions = functions_->functions().vec();
  return canonical(result);
}

Profile warpo::inNanoseconds(Profile profile, TimeScale scale) {
  for (ProfileWeight &weight : profile.weights) {
    if (weight.unit != "ticks")
      continue;
    weight.unit = "ns";
    for (std::vector<uint64_t> *column : {&weight.self, &weight.elsewhere})
      for (uint64_t &counts : *column)
        counts = scale.toNanoseconds(counts);
  }
  return profile;
}
