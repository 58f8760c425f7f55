//===- Demangle.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Demangle.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

static Profile renamed(Profile profile, std::string (*rename)(StringRef)) {
  // A function that is inlined once is inlined often.
  StringMap<SharedText> inlined;
  for (ProfileFunction &function : profile.functions) {
    if (function.kind == FunctionKind::function)
      function.name = rename(function.name);
    for (SharedText &name : function.inlined) {
      auto [entry, isNew] = inlined.try_emplace(name);
      if (isNew)
        entry->second = SharedText(rename(name));
      name = entry->second;
    }
  }
  return profile;
}

Profile warpo::demangleFully(Profile profile) { return renamed(std::move(profile), demangleName); }

Profile warpo::demangle(Profile profile) {
  std::vector<std::string> fullNames;
  // By brief name; empty: of several.
  StringMap<std::string> fullNameOf;
  for (const ProfileFunction &function : profile.functions) {
    const std::string &full = fullNames.emplace_back(demangleName(function.name));
    auto [entry, isNew] = fullNameOf.try_emplace(briefName(function.name), full);
    if (entry->second != full)
      entry->second.clear();
  }
  profile = renamed(std::move(profile), briefName);
  for (auto [function, name] : zip_equal(profile.functions, fullNames)) {
    auto full = fullNameOf.find(function.name);
    if (function.kind == FunctionKind::function && full != fullNameOf.end() && full->second.empty())
      function.name = name;
  }
  return profile;
}
