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

/// What was counted in all phases.
static uint64_t countedInPhases(const HostPhases &phases, size_t measure) {
  uint64_t total = 0;
  for (const HostPhases::Phase &phase : phases.phases())
    total = SaturatingAdd(total, phase.amounts[measure].value_or(0));
  return total;
}

void warpo::advanceToEndOfPhase(const RecordHeader &header,
                                ArrayRef<std::unique_ptr<EventBuilder>> builders) {
  auto phases = HostPhases::create(header);
  if (!phases)
    return consumeError(phases.takeError());
  std::map<std::string, std::vector<EventBuilder *>> stacks;
  for (const auto &builder : builders)
    if (builder && builder->lastTime())
      stacks[phases->runNameOf(header.streams[builder->stream()]).str()].push_back(builder.get());
  // Otherwise what was counted may belong to several.
  bool hasOneCounter = header.streams.size() <= 1 && header.modules.size() <= 1;
  for (const auto &[run, ofRun] : stacks) {
    // Of several stacks, entries do not say which one went on.
    if (ofRun.size() > 1)
      continue;
    EventBuilder &stack = *ofRun.front();
    std::optional<uint64_t> end;
    if (header.hasTime())
      end = endOfPhase(header, *phases, run, *stack.lastTime());
    else if (hasOneCounter)
      end = phases->timeOf(countedInPhases(*phases, 0));
    Counts counts = noCounts;
    for (size_t i = 0; hasOneCounter && i < header.columns().size(); ++i)
      counts[i] = countedInPhases(*phases, i + 1);
    if (end)
      stack.lastUntil(*end, counts);
  }
}
