//===- DiffWidths.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DiffWidths.h"
#include "warpo/Profile/Views.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

Profile warpo::widthsOf(const ProfileDiff &diff) {
  Profile widths;
  widths.modules = diff.modules;
  for (const DiffFunction &function : diff.functions)
    widths.functions.push_back(function.function);
  widths.tree = diff.tree;
  widths.shown = diff.shown;
  for (const DiffWeight &weight : diff.weights) {
    ProfileWeight &width = widths.weights.emplace_back();
    width.name = weight.name;
    width.unit = weight.unit;
    for (const Change &self : weight.self)
      width.self.push_back(uint64_t(std::ceil(std::max(self.before.mean, self.after.mean))));
  }
  return nameModules(std::move(widths));
}

std::string warpo::changeClasses(Presence presence, const Change &inclusive) {
  if (presence == Presence::added)
    return "frame changed new s1";
  if (presence == Presence::gone)
    return "frame changed gone s1";
  double difference = inclusive.realDifference();
  if (difference == 0)
    return "frame changed same s1";
  // Darker the larger the change.
  double share = std::abs(difference) / std::max(inclusive.before.mean, inclusive.after.mean);
  StringRef shade = share < 0.05 ? "s2" : share < 0.25 ? "s1" : "s0";
  return ((difference > 0 ? "frame changed more " : "frame changed less ") + shade).str();
}
