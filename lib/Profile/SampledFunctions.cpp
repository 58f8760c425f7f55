//===- SampledFunctions.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SampledFunctions.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NumberedName.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace warpo;

namespace {

class SampledFunctions {
public:
  SampledFunctions(ProfileOfModules traced, ProfileOfModules sampled);

  /// As matchSampledFunctions().
  Expected<MatchedSamples> match() const;

private:
  void matchModules();
  Expected<std::string> checkBuilds() const;
  void addFunction(FunctionIndex index);
  void compareNames();
  FunctionIndex find(const ProfileFunction &function) const;
  FunctionIndex findById(const ProfileFunction &function, uint32_t module) const;
  std::string nameOf(const Profile &profile, const ProfileFunction &function) const;

  const ProfileOfModules traced_, sampled_;
  /// By the modules of the samples: the same one of the trace.
  std::vector<std::optional<uint32_t>> same_;
  /// By the modules of the samples: whether the trace has names of their functions, and whether
  /// functions of one name have different ids. Where a trace leaves functions out, those behind
  /// them have lower ids.
  std::vector<bool> sharesNames_, movesIds_;
  /// Of the trace: by module and id, and by scope and name, with the id and without.
  std::map<std::pair<uint32_t, int32_t>, FunctionIndex> byId_;
  StringMap<FunctionIndex> byName_;
};

} // namespace

static StringRef hashOf(ProfileOfModules of, uint32_t module) {
  const ProfileModule &known = of.profile.modules[module];
  auto hash = of.hashes.find(known.id);
  return hash == of.hashes.end() || isNoModule(known) ? "" : StringRef(hash->second);
}

static std::string describe(ProfileOfModules of, uint32_t module) {
  return of.profile.title + " (module " + moduleLabel(of.profile.modules[module]) + ", hash " +
         toHex(hashOf(of, module), /*LowerCase=*/true) + ")";
}

/// Where functions are looked up by name: in one module, in all, or in those of unknown hash, the
/// only ones that a module with another hash may be.
static std::string scopeOf(uint32_t module) { return "module " + utostr(module) + '\0'; }
static std::string scopeOfAll() { return "all" + std::string(1, '\0'); }
static std::string scopeWithoutHash() { return "without hash" + std::string(1, '\0'); }

static std::string withId(const std::string &name, int32_t id) {
  return name + '\0' + std::to_string(id);
}

/// Ids of sections are of one run.
static bool hasIndex(const ProfileFunction &function) {
  return function.id != 0 && !isSection(function.id);
}

SampledFunctions::SampledFunctions(ProfileOfModules traced, ProfileOfModules sampled)
    : traced_(traced), sampled_(sampled) {
  matchModules();
  for (FunctionIndex index = 0; index < traced.profile.functions.size(); ++index)
    addFunction(index);
  compareNames();
}

void SampledFunctions::compareNames() {
  sharesNames_.resize(same_.size());
  movesIds_.resize(same_.size());
  for (const ProfileFunction &function : sampled_.profile.functions) {
    std::optional<uint32_t> module = same_[function.module];
    if (!module || function.kind == FunctionKind::pseudo ||
        !byName_.contains(scopeOf(*module) + function.name))
      continue;
    sharesNames_[function.module] = true;
    if (!hasIndex(function))
      continue;
    FunctionIndex sameId = findById(function, *module);
    if (sameId == noFunction || traced_.profile.functions[sameId].name != function.name)
      movesIds_[function.module] = true;
  }
}

void SampledFunctions::matchModules() {
  // A saved profile has no hashes, but ids that come from them.
  auto idOf = [](StringRef hash) {
    return hash.size() < sizeof(uint64_t) ? 0 : support::endian::read64le(hash.data());
  };
  std::map<StringRef, uint32_t> byHash;
  std::map<uint64_t, uint32_t> byIdOfHash, byIdAlone;
  for (uint32_t module = 0; module < traced_.profile.modules.size(); ++module) {
    StringRef hash = hashOf(traced_, module);
    if (hash.empty()) {
      byIdAlone.try_emplace(traced_.profile.modules[module].id, module);
    } else {
      byHash.try_emplace(hash, module);
      byIdOfHash.try_emplace(idOf(hash), module);
    }
  }
  for (uint32_t module = 0; module < sampled_.profile.modules.size(); ++module) {
    StringRef hash = hashOf(sampled_, module);
    auto find = [&](const auto &modules, auto key) -> std::optional<uint32_t> {
      auto found = modules.find(key);
      return found == modules.end() ? std::nullopt : std::optional(found->second);
    };
    if (hash.empty()) {
      uint64_t id = sampled_.profile.modules[module].id;
      same_.push_back(id == 0 ? std::nullopt : find(byIdOfHash, id));
    } else {
      std::optional<uint32_t> same = find(byHash, hash);
      same_.push_back(same ? same : find(byIdAlone, idOf(hash)));
    }
  }
}

void SampledFunctions::addFunction(FunctionIndex index) {
  const ProfileFunction &function = traced_.profile.functions[index];
  if (function.kind == FunctionKind::pseudo)
    return;
  auto add = [&](const std::string &scope, const std::string &name) {
    byName_.try_emplace(withId(scope + name, function.id), index);
    byName_.try_emplace(scope + name, index);
  };
  if (hasIndex(function))
    byId_.try_emplace({function.module, withoutMarks(function.id)}, index);
  add(scopeOf(function.module), function.name);
  add(scopeOfAll(), nameOf(traced_.profile, function));
  if (hashOf(traced_, function.module).empty())
    add(scopeWithoutHash(), nameOf(traced_.profile, function));
}

std::string SampledFunctions::nameOf(const Profile &profile,
                                     const ProfileFunction &function) const {
  bool byModule = traced_.profile.modules.size() > 1 && sampled_.profile.modules.size() > 1;
  return byModule ? moduleLabel(profile.modules[function.module]) + '\0' + function.name
                  : function.name;
}

FunctionIndex SampledFunctions::find(const ProfileFunction &function) const {
  auto byName = [&](const std::string &scope, const std::string &name) {
    auto found = byName_.find(withId(scope + name, function.id));
    if (found == byName_.end())
      found = byName_.find(scope + name);
    return found == byName_.end() ? noFunction : found->second;
  };
  std::optional<uint32_t> module = same_[function.module];
  if (!module)
    return byName(hashOf(sampled_, function.module).empty() ? scopeOfAll() : scopeWithoutHash(),
                  nameOf(sampled_.profile, function));
  if (hasIndex(function) && !sharesNames_[function.module])
    return findById(function, *module);
  FunctionIndex named = byName(scopeOf(*module), function.name);
  auto number = NumberedName::parse(function.name);
  if (named != noFunction || !hasIndex(function) || !number || movesIds_[function.module])
    return named;
  // The trace may have a name for it, such as that of an export.
  FunctionIndex sameId = findById(function, *module);
  if (sameId == noFunction)
    return noFunction;
  auto otherNumber = NumberedName::parse(traced_.profile.functions[sameId].name);
  return otherNumber && otherNumber->index != number->index ? noFunction : sameId;
}

FunctionIndex SampledFunctions::findById(const ProfileFunction &function, uint32_t module) const {
  auto found = byId_.find({module, withoutMarks(function.id)});
  return found == byId_.end() ? noFunction : found->second;
}

/// Whether a module has functions in the profile.
static std::vector<bool> usedModules(const Profile &profile) {
  std::vector<bool> used(profile.modules.size());
  for (const ProfileFunction &function : profile.functions)
    if (function.kind != FunctionKind::pseudo)
      used[function.module] = !isNoModule(profile.modules[function.module]);
  return used;
}

/// Fails if the profiles have no module in common, or two of one name that differ; else
/// SampledTime::otherModules.
Expected<std::string> SampledFunctions::checkBuilds() const {
  bool mayBeSame = false;
  std::vector<bool> tracedModules = usedModules(traced_.profile);
  std::vector<bool> sampledModules = usedModules(sampled_.profile);
  for (const auto &[module, same] : enumerate(same_)) {
    if (!same)
      continue;
    mayBeSame = true;
    sampledModules[module] = tracedModules[*same] = false;
  }
  // One without a hash may be any module.
  auto withHashes = [&](ProfileOfModules of, const std::vector<bool> &unmatched) {
    std::vector<uint32_t> known;
    for (uint32_t module = 0; module < unmatched.size(); ++module)
      if (unmatched[module] && !hashOf(of, module).empty())
        known.push_back(module);
      else
        mayBeSame |= unmatched[module];
    return known;
  };
  std::vector<uint32_t> ours = withHashes(traced_, tracedModules);
  std::vector<uint32_t> theirs = withHashes(sampled_, sampledModules);
  std::map<StringRef, uint32_t> byName;
  for (uint32_t module : ours)
    byName.try_emplace(traced_.profile.modules[module].name, module);
  for (uint32_t module : theirs)
    if (auto namesake = byName.find(sampled_.profile.modules[module].name);
        namesake != byName.end())
      return makeError(describe(sampled_, module) + " is of another build than " +
                       describe(traced_, namesake->second));
  if (ours.empty() || theirs.empty())
    return "";
  std::string first = describe(traced_, ours.front()), other = describe(sampled_, theirs.front());
  if (!mayBeSame)
    return makeError(other + " is of another program than " + first);
  return other + " is not in " + traced_.profile.title + ", and " + first + " is not in " +
         sampled_.profile.title;
}

Expected<MatchedSamples> SampledFunctions::match() const {
  auto others = checkBuilds();
  if (!others)
    return others.takeError();
  MatchedSamples matched{{}, std::move(*others)};
  for (const ProfileFunction &function : sampled_.profile.functions)
    matched.functions.push_back(function.kind == FunctionKind::pseudo ? noFunction
                                                                      : find(function));
  if (all_of(matched.functions, [](FunctionIndex match) { return match == noFunction; }))
    return makeError("no function of " + sampled_.profile.title + " is in " +
                     traced_.profile.title + ": they are not of the same program");
  return matched;
}

Expected<MatchedSamples> warpo::matchSampledFunctions(ProfileOfModules traced,
                                                      ProfileOfModules sampled) {
  return SampledFunctions(traced, sampled).match();
}
