//===- GroupFunctions.cpp - Profiles by line, file, directory, module -----===//
// SPDX-License-Identifier: Apache-2.0

#include "Contexts.h"
#include "warpo/Profile/ProbeWeight.h"
#include "warpo/Profile/Views.h"
#include "warpo/Support/DisplayName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

static StringRef directoryOf(StringRef file) {
  size_t end = file.find_last_of("/\\");
  return end == StringRef::npos ? "." : file.take_front(std::max<size_t>(end, 1));
}

/// The group's name; empty if unknown.
static std::string groupOf(const Profile &profile, const ProfileFunction &function,
                           FunctionGroup group) {
  if (group == FunctionGroup::module)
    return moduleLabel(profile.modules[function.module]);
  const auto &[file, line] = placeOf(function);
  if (file.empty())
    return "";
  if (group == FunctionGroup::line)
    return displayPlace(file, line);
  return group == FunctionGroup::file ? file.str() : directoryOf(file).str();
}

/// How much of each group's own time was recording, if the profile says that of functions.
static void shareProbes(const Profile &profile, ArrayRef<FunctionIndex> groups,
                        std::vector<ProfileFunction> &functions) {
  std::vector<ProbedTime> sums(functions.size());
  for (const auto &[function, times] : enumerate(probedTimes(profile))) {
    ProbedTime &sum = sums[groups[function]];
    sum.probe += times.probe;
    sum.recorded += times.recorded;
  }
  for (auto [function, sum] : zip_equal(functions, sums))
    function.probeShare = float(sum.share());
}

Profile warpo::groupFunctions(const Profile &profile, FunctionGroup group) {
  ProfileBuilder builder(profile.emptyCopy());
  // Contexts that are not functions stay as they are.
  std::vector<FunctionIndex> groups;
  StringMap<FunctionIndex> known;
  for (const auto &[index, function] : enumerate(profile.functions)) {
    if (function.kind == FunctionKind::pseudo) {
      groups.push_back(FunctionIndex(index));
      continue;
    }
    std::string name = groupOf(profile, function, group);
    std::vector<ProfileFunction> &functions = builder.profile().functions;
    auto [entry, isNew] = known.try_emplace(name, FunctionIndex(functions.size()));
    if (isNew && name.empty()) {
      addPseudoFunction(builder.profile(), "(no source)");
    } else if (isNew) {
      functions.push_back({.name = std::move(name), .module = function.module});
    }
    groups.push_back(entry->second);
  }
  shareProbes(profile, groups, builder.profile().functions);
  return placeContexts(profile, builder, [&](NodeIndex node, NodeIndex caller) -> ContextPlace {
    FunctionIndex function = groups[profile.tree[node].function];
    bool isInside = caller != ContextTree::root &&
                    builder.profile().tree[caller].function == function &&
                    profile.functions[profile.tree[node].function].kind != FunctionKind::pseudo;
    NodeIndex place = isInside ? caller : builder.child(caller, function);
    return {place, place};
  });
}
