//===- CallDistribution.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/FunctionTable.h"
#include "warpo/Report/Reports.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

void CallDistribution::add(const FunctionTotals &totals, const warpo::FunctionTable &functions,
                           std::optional<TimeScale> scale) {
  for (FunctionIndex index = 0; index < totals.calls().size(); ++index) {
    const FunctionCalls &calls = totals.calls()[index];
    const Function &function = functions[index];
    // A context that is not a function, such as a phase of the host, has no calls.
    if (calls.deepestRecursion == 0 || function.id == 0)
      continue;
    uint64_t module = functions.moduleIdOf(function);
    auto [entry, isNew] = functions_.try_emplace({module, function.id}, Entry{calls, scale});
    if (isNew)
      continue;
    FunctionCalls &known = entry->second.calls;
    known.durations.merge(calls.durations);
    known.sum = SaturatingAdd(known.sum, calls.sum);
    known.longest = std::max(known.longest, calls.longest);
    known.deepestRecursion = std::max(known.deepestRecursion, calls.deepestRecursion);
  }
}

/// Rounded once, to nearest: a mean truncated to counts first could be less than nearly every call.
static uint64_t meanOf(uint64_t sum, uint64_t calls, const std::optional<TimeScale> &scale) {
  __extension__ using Wide = unsigned __int128;
  Wide numerator = Wide(sum) * (scale ? scale->nanoseconds() : 1);
  Wide denominator = Wide(calls) * (scale ? scale->counts() : 1);
  Wide mean = numerator / denominator;
  Wide rest = numerator % denominator;
  mean += rest >= denominator - rest;
  return uint64_t(std::min<Wide>(mean, UINT64_MAX));
}

std::optional<CallDistribution::Numbers> CallDistribution::of(const Profile &profile,
                                                              FunctionIndex index) const {
  const ProfileFunction &function = profile.functions[index];
  if (function.kind == FunctionKind::pseudo || function.module >= profile.modules.size())
    return std::nullopt;
  auto entry = functions_.find({profile.modules[function.module].id, function.id});
  if (entry == functions_.end() || entry->second.calls.durations.count() == 0)
    return std::nullopt;
  const FunctionCalls &calls = entry->second.calls;
  auto scaled = [&](uint64_t counts) {
    return entry->second.scale ? entry->second.scale->toNanoseconds(counts) : counts;
  };
  // The middle of a bucket may be outside the known range.
  auto quantile = [&](double share) {
    return scaled(std::min(calls.durations.quantile(share), calls.longest));
  };
  return Numbers{.mean = meanOf(calls.sum, calls.durations.count(), entry->second.scale),
                 .median = quantile(0.5),
                 .p90 = quantile(0.9),
                 .p99 = quantile(0.99),
                 .longest = scaled(calls.longest),
                 .deepestRecursion = calls.deepestRecursion};
}
