//===- RecordProfile.cpp - Profiles of what records hold ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/Profile.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/FunctionTotals.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

static std::vector<ProfileModule> modulesOf(const FunctionTable &functions) {
  std::vector<ProfileModule> modules;
  for (const MappedModule &module : functions.modules())
    modules.push_back({module.moduleId, module.name});
  // A loss belongs to no module, but a function needs one.
  if (modules.empty())
    modules.emplace_back();
  return modules;
}

/// Frames of the host and of scripts belong to no module, whatever module they were seen with.
static uint32_t moduleOf(const Function &known, std::vector<ProfileModule> &modules) {
  if (!known.isTextFrame)
    return known.module;
  auto none = size_t(find_if(modules, isNoModule) - modules.begin());
  if (none == modules.size())
    modules.emplace_back();
  return uint32_t(none);
}

static ProfileFunction profileFunction(const Function &known, std::vector<ProfileModule> &modules,
                                       SharedTexts &texts) {
  bool isPseudo = known.id == 0 && known.known && !known.isTextFrame && !known.isInlined;
  std::vector<SharedText> inlined;
  for (StringRef name : known.inlined)
    inlined.push_back(texts.get(name));
  return {.name = known.name.str(),
          .module = moduleOf(known, modules),
          .kind = isPseudo      ? FunctionKind::pseudo
                  : known.known ? FunctionKind::function
                                : FunctionKind::unknown,
          .id = known.id,
          .file = texts.get(known.file),
          .line = known.line,
          .executedFile = texts.get(known.executedFile),
          .executedLine = known.executedLine,
          .bodyHash = known.bodyHash,
          .inlined = std::move(inlined),
          .attribute = known.attribute};
}

static ProfileWeight weightOf(const Measure &measure) {
  return {measure.name, measure.shownUnit().str(), {0}};
}

Profile warpo::makeProfile(const CallTree &tree, const FunctionTable &functions,
                           ArrayRef<Measure> measures, StringRef title) {
  Profile profile;
  profile.title = title.str();
  profile.modules = modulesOf(functions);
  SharedTexts texts;
  // A record may use only a few of a mapping's 200 000 functions.
  std::vector<FunctionIndex> ours(functions.size(), noFunction);
  const Measure &clock = measures.front();
  ProfileWeight time = weightOf(clock);
  ProfileWeight calls{"calls", "calls", {0}};
  time.self.reserve(tree.size());
  calls.self.reserve(tree.size());
  for (const CallTree::Node &node : tree.nodes().drop_front()) {
    FunctionIndex &function = ours[node.function];
    if (function == noFunction) {
      function = FunctionIndex(profile.functions.size());
      profile.functions.push_back(
          profileFunction(functions[node.function], profile.modules, texts));
    }
    profile.tree.append(node.parent, function);
    time.self.push_back(clock.shown(node.selfTime));
    calls.self.push_back(node.calls);
  }
  if (tree.hasSamples())
    calls = {"samples", "samples", {}};
  for (NodeIndex node = 0; node < tree.size() && tree.hasSamples(); ++node)
    calls.self.push_back(tree.selfSamples(node));
  profile.weights = {std::move(time), std::move(calls)};
  for (const auto &[index, measure] : enumerate(measures.drop_front())) {
    auto column = ColumnIndex(index);
    if (!tree.hasColumn(column))
      continue;
    ProfileWeight &weight = profile.weights.emplace_back(weightOf(measure));
    for (NodeIndex node = 1; node < tree.size(); ++node)
      weight.self.push_back(measure.shown(tree.selfCount(node, column)));
  }
  return profile;
}

Profile warpo::makeFlatProfile(const FunctionTotals &totals, const FunctionTable &functions,
                               ArrayRef<Measure> measures, StringRef title) {
  Profile profile;
  profile.title = title.str();
  profile.modules = modulesOf(functions);
  SharedTexts texts;
  const Measure &clock = measures.front();
  ProfileWeight time = weightOf(clock);
  ProfileWeight calls{"calls", "calls", {0}};
  std::vector<ProfileWeight> counted;
  for (const Measure &measure : measures.drop_front())
    counted.push_back(weightOf(measure));
  auto append = [&](ProfileWeight &weight, uint64_t self, uint64_t total) {
    weight.self.push_back(self);
    weight.addElsewhere(NodeIndex(profile.tree.size() - 1), total - std::min(total, self));
  };
  for (FunctionIndex function : totals.called()) {
    const FunctionSums &sums = totals.sums()[function];
    profile.tree.append(ContextTree::root, FunctionIndex(profile.functions.size()));
    profile.functions.push_back(profileFunction(functions[function], profile.modules, texts));
    append(time, clock.shown(sums.time.self), clock.shown(sums.time.total));
    append(calls, sums.calls.self, sums.calls.total);
    for (const auto &[column, weight] : enumerate(counted)) {
      FunctionWeight spent = totals.countOf(function, ColumnIndex(column));
      const Measure &measure = measures[column + 1];
      append(weight, measure.shown(spent.self), measure.shown(spent.total));
    }
  }
  profile.weights = {std::move(time), std::move(calls)};
  for (const auto &[column, weight] : enumerate(counted))
    if (totals.hasColumn(ColumnIndex(column)))
      profile.weights.push_back(std::move(weight));
  return profile;
}
