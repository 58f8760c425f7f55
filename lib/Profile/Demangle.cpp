//===- Demangle.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Demangle.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::demangle(Profile profile) {
  // What is inlined once is inlined often.
  StringMap<SharedText> inlined;
  for (ProfileFunction &function : profile.functions) {
    if (function.kind == FunctionKind::function)
      function.name = demangleName(function.name);
    for (SharedText &name : function.inlined) {
      auto [entry, isNew] = inlined.try_emplace(name);
      if (isNew)
        entry->second = SharedText(demangleName(name));
      name = entry->second;
    }
  }
  return profile;
}
