//===- NameModules.cpp - Which module a function is of, in its name -------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/Views.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

std::vector<std::string> warpo::moduleLabels(const Profile &profile) {
  std::vector<std::string> labels;
  StringMap<unsigned> modules;
  for (const ProfileModule &module : profile.modules)
    ++modules[labels.emplace_back(moduleLabel(module))];
  for (auto [label, module] : zip_equal(labels, profile.modules))
    if (modules.lookup(label) > 1)
      label += " " + std::to_string(module.id);
  return labels;
}

/// `func[7]`, `function 16777216`: another module has a function of this name, shown or not.
static bool isNameless(const ProfileFunction &function) {
  return function.kind == FunctionKind::unknown || StringRef(function.name).starts_with("func[");
}

Profile warpo::nameModules(Profile profile) {
  constexpr uint32_t several = std::numeric_limits<uint32_t>::max();
  BitVector isShown(profile.functions.size()), modules(profile.modules.size());
  StringMap<uint32_t> moduleOfName;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    FunctionIndex index = profile.tree[node].function;
    const ProfileFunction &function = profile.functions[index];
    // Inlined functions and frames of the host have no id and no module of their own.
    if (function.id == 0 || isShown.test(index))
      continue;
    isShown.set(index);
    modules.set(function.module);
    auto [entry, isNew] = moduleOfName.try_emplace(function.name, function.module);
    if (!isNew && entry->second != function.module)
      entry->second = several;
  }
  if (modules.count() < 2)
    return profile;
  std::vector<std::string> labels = moduleLabels(profile);
  for (unsigned index : isShown.set_bits()) {
    ProfileFunction &function = profile.functions[index];
    if (isNameless(function) || moduleOfName.lookup(function.name) == several)
      function.name += " (" + labels[function.module] + ")";
  }
  return profile;
}
