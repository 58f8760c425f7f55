//===- CallsAtEnd.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/CallsAtEnd.h"
#include "warpo/Slice/HostPhases.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

/// What was counted in all phases. Nothing if it may belong to several stacks.
static Counts countedInPhases(const RecordHeader &header, const HostPhases &phases) {
  Counts total = noCounts;
  if (header.streams.size() > 1 || header.modules.size() > 1)
    return total;
  for (const HostPhases::Phase &phase : phases.phases())
    for (size_t i = 0; i < header.columns().size(); ++i)
      total[i] = SaturatingAdd(total[i], phase.amounts[i + 1].value_or(0));
  return total;
}

static std::optional<uint64_t> endOfPhase(const HostPhases &phases, const RunPhases &run,
                                          uint64_t time) {
  ArrayRef<RunPhases::Span> spans = run.spansFrom(phases.keyOf(time));
  bool isWithin = !spans.empty() && spans.front().from <= phases.keyOf(time) &&
                  spans.front().phase != RunPhases::noPhase;
  return isWithin ? std::optional(phases.timeOf(spans.front().to)) : std::nullopt;
}

/// Fuel, if that is the only clock.
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
  std::map<const RunPhases *, EventBuilder *> lastOfRun;
  for (const auto &builder : builders) {
    if (!builder || !builder->lastTime())
      continue;
    EventBuilder *&last = lastOfRun[phases->runOf(header.streams[builder->stream()])];
    if (!last || phases->keyOf(*last->lastTime()) <= phases->keyOf(*builder->lastTime()))
      last = builder.get();
  }
  for (const auto &[run, builder] : lastOfRun) {
    if (!run)
      continue;
    std::optional<uint64_t> end = header.hasTime() ? endOfPhase(*phases, *run, *builder->lastTime())
                                                   : endOfCount(header, *phases);
    if (end)
      builder->lastUntil(*end, countedInPhases(header, *phases));
  }
}
