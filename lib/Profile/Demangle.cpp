//===- Demangle.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Demangle.h"
#include "warpo/Profile/Views.h"

using namespace llvm;
using namespace warpo;

Profile warpo::demangle(Profile profile) {
  for (ProfileFunction &function : profile.functions)
    if (function.kind == FunctionKind::function)
      function.name = demangleName(function.name);
  return profile;
}
