//===- FunctionUnion.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FunctionUnion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

std::string FunctionUnion::moduleKey(const ProfileModule &module) const {
  if (!module.name.empty())
    return ("n" + Twine(module.name)).str();
  return unnamed_ == UnnamedModules::byId ? ("i" + Twine(module.id)).str() : "i";
}

std::string FunctionUnion::functionKey(const ProfileFunction &function, StringRef module) const {
  // A context that is not a function has no module.
  if (function.kind == FunctionKind::pseudo)
    return ("p" + Twine(function.attribute.size()) + " " + function.attribute + function.name)
        .str();
  // With lengths, as names may hold anything.
  std::string line;
  if (function.executedLine != 0)
    line = (Twine(function.executedLine) + ":" + Twine(function.executedFile.ref().size()) + " " +
            function.executedFile.ref())
               .str();
  return ("f" + Twine(module.size()) + " " + module + line + function.name).str();
}

/// The smaller one; the default value means "unknown".
template <typename T> static T smallerKnown(const T &a, const T &b) {
  return a == T() ? b : b == T() ? a : std::min(a, b);
}

uint32_t FunctionUnion::addModule(const ProfileModule &module) {
  auto [entry, isNew] = moduleOfKey_.try_emplace(moduleKey(module), modules_.size());
  if (isNew)
    modules_.push_back(module);
  uint64_t &id = modules_[entry->second].id;
  id = smallerKnown(id, module.id);
  return entry->second;
}

static void join(ProfileFunction &known, const ProfileFunction &other) {
  known.kind = std::min(known.kind, other.kind);
  known.id = smallerKnown(known.id, other.id);
  known.bodyHash = smallerKnown(known.bodyHash, other.bodyHash);
  auto place = smallerKnown(std::pair(known.file, known.line), std::pair(other.file, other.line));
  std::tie(known.file, known.line) = place;
  known.inlined = smallerKnown(known.inlined, other.inlined);
}

/// Whole numbers, whose sums do not depend on the order.
static void join(ProbedTime &known, const ProbedTime &other) {
  known.probe += std::round(other.probe);
  known.recorded += other.recorded;
}

std::vector<FunctionIndex> FunctionUnion::add(const Profile &profile) {
  std::vector<uint32_t> modules;
  for (const ProfileModule &module : profile.modules)
    modules.push_back(addModule(module));
  std::vector<FunctionIndex> result;
  result.reserve(profile.functions.size());
  std::vector<ProbedTime> probed = probedTimes(profile);
  probed.resize(profile.functions.size());
  for (auto [function, times] : zip_equal(profile.functions, probed)) {
    bool hasModule = function.kind != FunctionKind::pseudo;
    std::string module = hasModule ? moduleKey(profile.modules[function.module]) : "";
    auto [entry, isNew] =
        functionOfKey_.try_emplace(functionKey(function, module), functions_.size());
    if (isNew) {
      functions_.push_back(function);
      functions_.back().module = hasModule ? modules[function.module] : 0;
      probed_.emplace_back();
      join(probed_.back(), times);
    } else {
      ProfileFunction &known = functions_[entry->second];
      join(known, function);
      join(probed_[entry->second], times);
      known.probeShare = float(probed_[entry->second].share());
    }
    result.push_back(entry->second);
  }
  return result;
}

std::optional<uint32_t> FunctionUnion::findModule(const ProfileModule &module) const {
  auto known = moduleOfKey_.find(moduleKey(module));
  if (known == moduleOfKey_.end())
    return std::nullopt;
  return known->second;
}

std::optional<FunctionIndex> FunctionUnion::find(const FunctionUnion &other, FunctionIndex function,
                                                 ArrayRef<uint32_t> modules) const {
  const ProfileFunction &wanted = other.functions_[function];
  std::string module;
  if (wanted.kind != FunctionKind::pseudo) {
    if (modules[wanted.module] == noModule)
      return std::nullopt;
    module = moduleKey(modules_[modules[wanted.module]]);
  }
  auto known = functionOfKey_.find(functionKey(wanted, module));
  if (known == functionOfKey_.end())
    return std::nullopt;
  return known->second;
}
