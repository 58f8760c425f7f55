//===- Profile.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/Profile.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral timeUnits[] = {"ns", "ticks"};

bool warpo::isNoModule(const ProfileModule &module) {
  return module.id == 0 && module.name.empty();
}

std::string warpo::moduleLabel(const ProfileModule &module) {
  if (!module.name.empty())
    return module.name;
  return isNoModule(module) ? "(no module)" : ("Module " + Twine(module.id)).str();
}

std::pair<StringRef, uint32_t> warpo::placeOf(const ProfileFunction &function) {
  if (function.executedLine != 0)
    return {function.executedFile, function.executedLine};
  return {function.file, function.line};
}

std::vector<FunctionIndex> warpo::withoutLines(ArrayRef<ProfileFunction> functions) {
  // Most profiles have no lines, and need no look-ups.
  std::map<std::tuple<StringRef, uint32_t, FunctionKind, int32_t, StringRef, uint32_t>,
           FunctionIndex>
      first;
  bool haveLines = any_of(functions, [](const ProfileFunction &each) { return each.executedLine; });
  std::vector<FunctionIndex> result;
  result.reserve(functions.size());
  for (const auto &[index, function] : enumerate(functions)) {
    auto self = FunctionIndex(index);
    if (haveLines)
      self = first
                 .try_emplace({function.name, function.module, function.kind, function.id,
                               function.file.ref(), function.line},
                              self)
                 .first->second;
    result.push_back(self);
  }
  return result;
}

std::vector<uint64_t> Profile::inclusive(WeightIndex weight) const {
  std::vector<uint64_t> result = weights[weight].self;
  // Children stand behind their parents.
  for (auto node = NodeIndex(tree.size()); node-- > 1;) {
    uint64_t &parent = result[tree[node].parent];
    parent = SaturatingAdd(parent, result[node]);
  }
  const std::vector<uint64_t> &elsewhere = weights[weight].elsewhere;
  for (NodeIndex node = 1; node < elsewhere.size(); ++node)
    result[node] = SaturatingAdd(result[node], elsewhere[node]);
  return result;
}

uint64_t Profile::total(WeightIndex weight) const {
  uint64_t sum = 0;
  for (uint64_t self : weights[weight].self)
    sum = SaturatingAdd(sum, self);
  return sum;
}

void ProfileWeight::addElsewhere(NodeIndex node, uint64_t amount) {
  if (amount == 0)
    return;
  if (elsewhere.size() <= node)
    elsewhere.resize(node + 1);
  elsewhere[node] = SaturatingAdd(elsewhere[node], amount);
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
  result.samplePeriod = samplePeriod;
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
