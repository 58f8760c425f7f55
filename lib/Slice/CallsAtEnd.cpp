//===- CallsAtEnd.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/CallsAtEnd.h"
#include "warpo/Slice/HostPhases.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

/// The end of the innermost phase of the run that contains the time.
static std::optional<uint64_t> endOfPhase(const RecordHeader &header, const HostPhases &phases,
                                          StringRef run, uint64_t time) {
  const RecordedPhase *innermost = nullptr;
  auto begin = [&](const RecordedPhase &phase) { return phases.keyOf(phase.begin); };
  for (const RecordedPhase &phase : header.phases)
    if (phase.run == run && begin(phase) <= phases.keyOf(time) &&
        phases.keyOf(time) <= phases.keyOf(phase.end) &&
        (!innermost || begin(*innermost) <= begin(phase)))
      innermost = &phase;
  return innermost ? std::optional(innermost->end) : std::nullopt;
}

/// By measure: what was counted in all phases. 0 if it may belong to several counters.
static Counts countedInPhases(const RecordHeader &header, const HostPhases &phases) {
  Counts total = noCounts;
  if (header.streams.size() > 1 || header.modules.size() > 1)
    return total;
  for (const HostPhases::Phase &phase : phases.phases())
    for (size_t i = 0; i < header.columns().size(); ++i)
      total[i] = SaturatingAdd(total[i], phase.amounts[i + 1].value_or(0));
  return total;
}

/// The same of fuel that is the only clock.
static std::optional<uint64_t> endOfCount(const RecordHeader &header, const HostPhases &phases) {
  if (header.streams.size() > 1 || header.modules.size() > 1)
    return std::nullopt;
  uint64_t total = 0;
  for (const HostPhases::Phase &phase : phases.phases())
    total = SaturatingAdd(total, phase.amounts[0].value_or(0));
  return phases.timeOf(total);
}

void warpo::advanceToEndOfPhase(const RecordHeader &header,
                                ArrayRef<std::unique_ptr<EventBuilder>> builders) {
  auto phases = HostPhases::create(header);
  if (!phases)
    return consumeError(phases.takeError());
  auto isRun = [&](StringRef name) {
    return any_of(header.phases, [&](const RecordedPhase &phase) { return phase.run == name; });
  };
  std::map<std::string, std::vector<EventBuilder *>> stacks;
  for (const auto &builder : builders)
    if (builder && builder->lastTime())
      stacks[runNameOf(header.streams[builder->stream()], isRun).str()].push_back(builder.get());
  for (const auto &[run, ofRun] : stacks) {
    // Of several stacks, entries do not say which one went on.
    if (ofRun.size() > 1)
      continue;
    EventBuilder &stack = *ofRun.front();
    std::optional<uint64_t> end = header.hasTime()
                                      ? endOfPhase(header, *phases, run, *stack.lastTime())
                                      : endOfCount(header, *phases);
    if (end)
      stack.lastUntil(*end, countedInPhases(header, *phases));
  }
}
