//===- Measure.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/Measure.h"
#include "warpo/Recorder/measure_names.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

std::optional<Measure> Measure::ofClock(StringRef clock) {
  if (clock == timeClock)
    return Measure();
  if (!warpo_is_clock_name(clock.data(), clock.size()))
    return std::nullopt;
  return Measure{.name = clock.split(':').first.str(), .unit = clock.str()};
}

std::string warpo::namesOf(ArrayRef<Measure> measures) {
  std::string names;
  for (const auto &[index, measure] : enumerate(measures)) {
    StringRef separator = index == 0 ? "" : index + 1 == measures.size() ? " and " : ", ";
    names += (separator + measure.name).str();
  }
  return names;
}
