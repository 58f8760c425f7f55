//===- CallDistribution.cpp -----------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Report/Reports.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

void CallDistribution::add(const CallStatistics &statistics, const warpo::FunctionTable &functions,
                           std::optional<TimeScale> scale) {
  for (FunctionIndex index = 0; index < statistics.functions().size(); ++index) {
    const FunctionCalls &calls = statistics.functions()[index];
    if (calls.deepestRecursion == 0)
      continue;
    const Function &function = functions[index];
    uint64_t module = functions.modules()[function.module].moduleId;
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
  // The middle of a bucket may lie beyond what is known exactly.
  auto quantile = [&](double share) {
    return scaled(std::min(calls.durations.quantile(share), calls.longest));
  };
  return Numbers{.mean = scaled(calls.sum / calls.durations.count()),
                 .median = quantile(0.5),
                 .p90 = quantile(0.9),
                 .p99 = quantile(0.99),
                 .longest = scaled(calls.longest),
                 .deepestRecursion = calls.deepestRecursion};
}
