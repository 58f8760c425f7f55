//===- DamageReport.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/DamageReport.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

void DamageReport::add(StringRef singular, StringRef plural, uint64_t count,
                       function_ref<std::string()> place) {
  for (Kind &kind : kinds_)
    if (kind.singular == singular) {
      kind.count = SaturatingAdd(kind.count, count);
      return;
    }
  kinds_.push_back({singular.str(), plural.str(), count, place()});
}

std::vector<std::string> DamageReport::messages() const {
  std::vector<std::string> result;
  for (const Kind &kind : kinds_)
    result.push_back(kind.firstPlace + ": " + countOf(kind.count, kind.singular, kind.plural) +
                     (kind.count > 1 ? " (the first is here)" : ""));
  return result;
}
