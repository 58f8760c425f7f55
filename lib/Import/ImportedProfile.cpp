//===- ImportedProfile.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ImportedProfile.h"
#include "EngineName.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

// A file may repeat a long name for each frame: comparing this many bytes takes some seconds.
static constexpr uint64_t maxLooked = uint64_t(1) << 32;

static constexpr StringLiteral contextsText = "contexts: functions, each with the calls above it";
static constexpr StringLiteral amountsText = "amounts, one for each context and weight";

// Names may contain any bytes, so their lengths are added.
static void appendKey(std::string &key, StringRef text) {
  key += std::to_string(text.size()) + ':';
  key += text;
}

bool ImportedProfile::exceeds(uint64_t count, uint64_t most, StringRef what) {
  if (count <= most)
    return false;
  if (!hasFailed())
    excess_ = (Twine(most) + " " + what).str();
  return true;
}

FunctionIndex ImportedProfile::function(const ImportedFrame &frame) {
  if (hasFailed())
    return 0;
  std::string key;
  for (StringRef text : {frame.name, frame.module, frame.file, frame.executedFile})
    appendKey(key, text);
  key += std::to_string(frame.line) + ':' + std::to_string(frame.executedLine);
  looked_ += key.size();
  auto known = functions_.find(key);
  if (known != functions_.end() && looked_ <= maxLooked)
    return known->second;
  text_ += key.size();
  std::vector<ProfileFunction> &functions = builder_.profile().functions;
  if (exceeds(looked_ > maxLooked ? UINT64_MAX : text_, maxText, "bytes of names") ||
      exceeds(functions.size() + 1, maxFunctions, "functions"))
    return 0;
  auto index = FunctionIndex(functions.size());
  functions_.try_emplace(key, index);
  EngineName name(frame.name);
  ProfileFunction &function = functions.emplace_back();
  function.name = name.function();
  function.bodyHash = name.bodyHash();
  function.module = moduleOf(frame.module.empty() ? name.module() : frame.module);
  function.file = texts_.get(frame.file);
  function.line = frame.line;
  function.executedFile = texts_.get(frame.executedFile);
  function.executedLine = frame.executedLine;
  return index;
}

uint32_t ImportedProfile::moduleOf(StringRef name) {
  std::vector<ProfileModule> &modules = builder_.profile().modules;
  auto [entry, isNew] = modules_.try_emplace(name, uint32_t(modules.size()));
  if (isNew)
    modules.push_back({.id = 0, .name = name.str()});
  return entry->second;
}

NodeIndex ImportedProfile::child(NodeIndex caller, FunctionIndex function) {
  const Profile &profile = builder_.profile();
  size_t contexts = profile.tree.size();
  if (hasFailed() || exceeds(++frames_, maxFrames, "frames on its stacks") ||
      exceeds(contexts, maxContexts, contextsText) ||
      exceeds(contexts * profile.weights.size(), maxAmounts, amountsText))
    return caller;
  return builder_.child(caller, function);
}

WeightIndex ImportedProfile::weight(StringRef name, StringRef unit) {
  Profile &profile = builder_.profile();
  size_t weights = profile.weights.size();
  auto known = weights_.find(name);
  if (known != weights_.end())
    return known->second;
  if (exceeds(weights + 1, maxWeights, "weights") ||
      exceeds(profile.tree.size() * (weights + 1), maxAmounts, amountsText))
    return 0;
  weights_.try_emplace(name, WeightIndex(weights));
  ProfileWeight &added = profile.weights.emplace_back();
  added.name = name.str();
  added.unit = unit.str();
  added.self.assign(profile.tree.size(), 0);
  return WeightIndex(weights);
}

void ImportedProfile::add(NodeIndex node, WeightIndex weight, uint64_t amount) {
  if (amount == 0)
    return;
  if (node == ContextTree::root)
    node = child(node, function({.name = "(root)"}));
  if (node == ContextTree::root)
    return;
  builder_.add(node, weight, amount);
}

Expected<Profile> ImportedProfile::take(StringRef file) {
  if (hasFailed())
    return fileError(file, "it has more than " + excess_);
  Profile profile = builder_.take();
  if (profile.weights.empty())
    return fileError(file, "it has no samples");
  if (!profile.findWeight(Measure::timeClock))
    for (ProfileWeight &weight : profile.weights)
      if (weight.unit == "ns") {
        weight.name = Measure::timeClock.str();
        break;
      }
  if (std::optional<WeightIndex> time = profile.findWeight(Measure::timeClock))
    profile.shown = *time;
  return profile;
}
