//===- Profile.cpp --------------------------------------------------------===//

#include "warpo/Profile/Profile.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Record/FunctionTable.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral timeUnits[] = {"ns", "ticks"};

std::string warpo::moduleLabel(const ProfileModule &module) {
  return module.name.empty() ? ("Module " + Twine(module.id)).str() : module.name;
}

std::vector<uint64_t> Profile::inclusive(WeightIndex weight) const {
  std::vector<uint64_t> result = weights[weight].self;
  // Children stand behind their parents.
  for (auto node = NodeIndex(tree.size()); node-- > 1;) {
    uint64_t &parent = result[tree[node].parent];
    parent = SaturatingAdd(parent, result[node]);
  }
  return result;
}

uint64_t Profile::total(WeightIndex weight) const {
  uint64_t sum = 0;
  for (uint64_t self : weights[weight].self)
    sum = SaturatingAdd(sum, self);
  return sum;
}

std::optional<WeightIndex> Profile::findWeight(StringRef name) const {
  for (WeightIndex weight = 0; weight < weights.size(); ++weight)
    if (weights[weight].name == name)
      return weight;
  return std::nullopt;
}

Profile Profile::emptyCopy(bool withFunctions) const {
  Profile result;
  result.title = title;
  result.shown = shown;
  result.per = per;
  for (const ProfileWeight &weight : weights)
    result.weights.push_back({weight.name, weight.unit, {0}});
  if (withFunctions) {
    result.modules = modules;
    result.functions = functions;
  }
  return result;
}

NodeIndex ProfileBuilder::child(NodeIndex parent, FunctionIndex function) {
  auto [entry, isNew] = contexts_.try_emplace({parent, function}, ContextTree::root);
  if (isNew) {
    entry->second = profile_.tree.append(parent, function);
    for (ProfileWeight &weight : profile_.weights)
      weight.self.push_back(0);
  }
  return entry->second;
}

Profile warpo::withoutTime(Profile profile) {
  std::string shown = profile.weights[profile.shown].name;
  erase_if(profile.weights,
           [](const ProfileWeight &weight) { return is_contained(timeUnits, weight.unit); });
  profile.shown = profile.findWeight(shown).value_or(0);
  return profile;
}

Profile warpo::makeProfile(const CallTree &tree, const FunctionTable &functions,
                           const ProfileClocks &clocks, StringRef title) {
  Profile profile;
  profile.title = title.str();
  for (const MappedModule &module : functions.modules())
    profile.modules.push_back({module.moduleId, module.name});
  // What was lost belongs to no module, but a function needs one.
  if (profile.modules.empty())
    profile.modules.push_back({});

  // Of a mapping of 200 000 functions a record may name a few.
  std::vector<FunctionIndex> ours(functions.size(), noFunction);
  const std::optional<TimeScale> &scale = clocks.scale;
  ProfileWeight time{"time", scale ? "ns" : "ticks", {0}};
  if (clocks.timeIsFuel)
    time = {"fuel", clocks.fuel, {0}};
  ProfileWeight calls{"calls", "calls", {0}};
  time.self.reserve(tree.size());
  calls.self.reserve(tree.size());
  for (const CallTree::Node &node : tree.nodes().drop_front()) {
    FunctionIndex &function = ours[node.function];
    if (function == noFunction) {
      const Function &known = functions[node.function];
      bool isPseudo = known.id == 0 && known.known && !known.isTextFrame;
      function = FunctionIndex(profile.functions.size());
      profile.functions.push_back({.name = known.name.str(),
                                   .module = known.module,
                                   .kind = isPseudo      ? FunctionKind::pseudo
                                           : known.known ? FunctionKind::function
                                                         : FunctionKind::unknown,
                                   .id = known.id,
                                   .file = known.file.str(),
                                   .line = known.line,
                                   .bodyHash = known.bodyHash});
    }
    profile.tree.append(node.parent, function);
    time.self.push_back(scale ? scale->toNanoseconds(node.selfTime) : node.selfTime);
    calls.self.push_back(node.calls);
  }
  if (tree.hasSamples())
    calls = {"samples", "samples", {}};
  for (NodeIndex node = 0; node < tree.size() && tree.hasSamples(); ++node)
    calls.self.push_back(tree.selfSamples(node));
  profile.weights = {std::move(time), std::move(calls)};
  ProfileWeight fuel{"fuel", clocks.fuel, {}};
  for (NodeIndex node = 0; node < tree.size() && tree.hasFuel() && !clocks.timeIsFuel; ++node)
    fuel.self.push_back(tree.selfFuel(node));
  if (!fuel.self.empty())
    profile.weights.push_back(std::move(fuel));
  return profile;
}
