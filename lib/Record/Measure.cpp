//===- Measure.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/Measure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

std::optional<Measure> Measure::ofClock(StringRef clock) {
  if (clock == timeClock)
    return Measure();
  StringRef name = clock.split(':').first;
  bool isName =
      !name.empty() && all_of(name, [](char c) { return isAlnum(c) || c == '-' || c == '_'; });
  // Profiles, tables and JSON have other things of these names.
  constexpr StringLiteral taken[] = {"time",      "calls",    "samples", "probe",
                                     "suspended", "module",   "stream",  "event",
                                     "id",        "function", "count",   "lost"};
  if (!isName || is_contained(taken, name))
    return std::nullopt;
  return Measure{.name = name.str(), .unit = clock.str()};
}

std::string warpo::namesOf(ArrayRef<Measure> measures) {
  std::string names;
  for (const auto &[index, measure] : enumerate(measures)) {
    StringRef separator = index == 0 ? "" : index + 1 == measures.size() ? " and " : ", ";
    names += (separator + measure.name).str();
  }
  return names;
}
